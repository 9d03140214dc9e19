package text

import (
	"unicode"
	"unicode/utf8"
)

// signSet is what tells a language that is written in thousands of signs:
// the most frequent ones, most frequent first, prose and program comments
// alike. Other signs of its scripts may occur too, but at a price.
type signSet struct {
	frequent  string
	rarity    int // as in letterSet
	encodings []Encoding
}

// signSets are the languages that multi-byte encodings are guessed by.
func signSets() []signSet {
	return []signSet{
		{chineseSigns + simplifiedSigns, 250, []Encoding{EncodingGB18030, EncodingGBK}},
		{chineseSigns + traditionalSigns, 250, []Encoding{EncodingBig5, EncodingGB18030, EncodingGBK}},
		{japaneseSigns, 250, []Encoding{EncodingShiftJIS, EncodingEUCJP}},
		{koreanSigns, 250, []Encoding{EncodingEUCKR}},
	}
}

const (
	// chineseSigns are written alike in simplified and traditional Chinese.
	chineseSigns = "，的一。是不在人有我他中大、和上到以要就出可也你生能而子那得下自之年作用道行所然家成方多去法如都同面起看定天分好小部其些主理心本前因只日者意力它把十民第公此已工使情明性知全三又正外高由很最重物手向文政美相被利什二等或新己制身果加西月合回特代信表化老世位次度任常先海通教原提立及比解水名真走各入口平系更打女四神何安少才反受目太量再感建做接必期市直命山金指至形社便空治科司五基眼非白界光放像且思王完式色求程北死交取" +
		"值串逐（）：；「」！？"
	simplifiedSigns  = "这个国们来为说时会对过发后里种经么学现当没动还进样开从想实军无与长机关点业将两间问并应战头体见产话内给门儿东声员论处义几认条气题尔别变总电数报结务场件计管资许统区队决展马书则听却达强难权设记类据该规觉术领确传师观识带导争运检查错误函参返读写输默置调删除修改获创列循环断空户志字符段键码显选项执"
	traditionalSigns = "這個國們來為說時會對過發後裡種經麼學現當沒動還進樣開從想實軍無與長機關點業將兩間問並應戰頭體見產話內給門兒東聲員論處義幾認條氣題爾別變總電數報結務場件計管資許統區隊決展馬書則聽卻達強難權設記類據該規覺術領確傳師觀識帶導爭運檔案檢查錯誤函參讀寫輸預置調刪除修改獲創列迴圈斷戶誌字元鍵碼顯選項執於著存"
	japaneseSigns    = "のにるたとはしをいてがなれ。、あらかっさりすこでもきまくうけせえそおどわんちみよつだめばろじやひへげぶびほぎねずふごぞむぼざぐぜづぬゆぽぱ" +
		"ーンスルトイクリラアレドシロジプムフテタコカグバオメサマデキエニブパッワナィャョュダウセツハヒポベボミモケガビピペチゴゲソノギネズザホヤユヨロ" +
		"日一人年大本中国会事出行者生合自時分場前方上文字列入力読書込処理結果確認存在変数関引返値設定取得追加削除更新表示終了開始実作成指使用対象必要初期化保空名前回見用部的同下間目手後内言来高語全動通続次最現当数無体電気連問題点線面「」・（）：！？　"
	koreanSigns = "이다는에의을가고하지한로은기도를어사시있나서자대리게아그인수해정라일부으들스와전상보적원만과면주국것장조여구제안성관음용선경실화우미모소무비었오세거했중생되공등니신된까합습동학년없야계반진문내입트연방회출력확행처류함환값열파터데당명할때러드치날바강재점물발심말같작또호히업체유분래민았불알외임천목개위려양즉설추삭초존줄결록빈뒤건너뛰단순간"
)

// Costs of signs, in hundredths of a bit as those of letters.
const (
	costWide      = 1000
	costOtherSign = 1700
)

// signCosts makes a sign the cheaper the more frequent it is. The n-th one is
// taken to occur in proportion to 1/(n+flat), as words do.
func signCosts(frequent string) costs {
	const flat = 10
	total, n := 0.0, 0
	for range frequent {
		n++
		total += 1 / float64(n+flat)
	}
	all := make(costs)
	n = 0
	for _, r := range frequent {
		n++
		if _, twice := all[r]; !twice {
			all[r] = costOf(1 / float64(n+flat) / total)
		}
	}
	return all
}

// ofSign is the cost of the sign r, which is raw in e.
func (c costs) ofSign(r rune, raw []byte, e Encoding) int {
	if cost, ok := c[r]; ok {
		return cost
	}
	switch {
	case unicode.Is(unicode.Han, r) && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3:
		return levelCost(raw, e)
	case 0xFF01 <= r && r <= 0xFF5E, 0x3000 <= r && r <= 0x3020, 0x3041 <= r && r <= 0x30FE:
		return costWide
	}
	return costOtherSign
}

// totalOfSigns returns what it costs to believe that sample is of the signs
// in c, written in e, and false when it cannot be.
func (c costs) totalOfSigns(sample []byte, e Encoding) (int, bool) {
	code, _ := codecOf(e)
	out, consumed, lossy := code.decode(nil, sample, false)
	if lossy {
		return 0, false
	}
	sum := costOtherSign * (len(sample) - consumed) // half a sign is no evidence
	raw := sample[:consumed]
	for len(raw) > 0 {
		if n := asciiPrefix(out); n > 0 {
			out, raw = out[n:], raw[min(n, len(raw)):]
			continue
		}
		r, size := utf8.DecodeRune(out)
		length := min(signLength(raw, e), len(raw))
		sum += c.ofSign(r, raw[:length], e)
		out, raw = out[size:], raw[length:]
	}
	return sum, true
}
