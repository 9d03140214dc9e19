package text

// letterSet is what a language has of letters outside ASCII, as far as it is
// written in encodings of one byte a character.
type letterSet struct {
	letters   string // lower-case, most frequent first
	ownScript bool   // words are of these letters alone, not mixed with a to z
	rarity    int    // how rare such files are, as a cost; it decides what few letters leave open
	encodings []Encoding
	finals    string // letters that stand at the ends of words alone
}

// letterSets are the languages that single-byte encodings are guessed by.
// Among equally good guesses the first wins.
func letterSets() []letterSet {
	western := []Encoding{EncodingWindows1252, "iso-8859-15"}
	central := []Encoding{"windows-1250", "iso-8859-2"}
	turkish := []Encoding{"windows-1254"}
	baltic := []Encoding{"windows-1257"}
	cyrillic := []Encoding{"windows-1251", "koi8-r", "ibm866", "iso-8859-5"}
	ukrainian := []Encoding{"windows-1251", "koi8-u"}
	greek := []Encoding{"windows-1253", "iso-8859-7"}
	return []letterSet{
		{"éèàêçîùôâûïëœüæ", false, 0, western, ""},                                                     // French
		{"üäößéàè", false, 0, western, ""},                                                             // German
		{"óíáéñúü¿¡ªº", false, 0, western, ""},                                                         // Spanish
		{"ãçáéõíóêâúàôüªº", false, 0, western, ""},                                                     // Portuguese
		{"èàùòìéç", false, 0, western, ""},                                                             // Italian
		{"àéíòóçèúïü·", false, 100, western, ""},                                                       // Catalan
		{"ëéïèöüêá", false, 50, western, ""},                                                           // Dutch
		{"åøæéöóü", false, 50, western, ""},                                                            // Danish, Norwegian
		{"äåöéàüšž", false, 50, western, ""},                                                           // Swedish, Finnish
		{"íáðéóúþæýö", false, 150, western, ""},                                                        // Icelandic
		{"łąężóśćńź", false, 100, central, ""},                                                         // Polish
		{"íáěéčřžýšůúťóďň", false, 100, central, ""},                                                   // Czech
		{"áíčéžýšúôťľóäňďĺŕ", false, 150, central, ""},                                                 // Slovak
		{"áéöóőüíűú", false, 150, central, ""},                                                         // Hungarian
		{"čšžćđ", false, 150, central, ""},                                                             // Croatian, Slovene
		{"ăîâţş", false, 250, central, ""},                                                             // Romanian
		{"ışüçğöİâîû", false, 150, turkish, ""},                                                        // Turkish
		{"ėšįųžąčęū", false, 250, baltic, ""},                                                          // Lithuanian
		{"āīēšūļžčņģķ", false, 250, baltic, ""},                                                        // Latvian
		{"äõüöšž", false, 250, baltic, ""},                                                             // Estonian
		{"\u0301\u0300\u0323đưôêơâă\u0309\u0303áàéèíóúùý", false, 300, []Encoding{"windows-1258"}, ""}, // Vietnamese, tones behind letters
		{"оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", true, 50, cyrillic, ""},
		{"оанивтерісклудмпязьбгйчхцжєїюшщфґ", true, 150, ukrainian, ""},
		{"аиоетнрсвлкдпмзябъугчцйхщжшфюь", true, 150, cyrillic[:1], ""}, // Bulgarian
		{"аиоенрстјуквдмплзбгчшцжћхњљфђџ", true, 150, cyrillic[:1], ""}, // Serbian
		{"ανοιτεσηρυπκλμςωίόάγέδχήύθώφβξζψϊϋΐΰ", true, 150, greek, "ς"},
		{"יוהלאתבשרמנדכקחעםפגצטזסןךףץ", true, 200, []Encoding{"windows-1255"}, "םןץףך"},
		{"اليمنرتوبعدسفهكقأحجشطصخةىإذضزغءثظؤئآپچژگ", true, 200, []Encoding{"windows-1256"}, ""},
		{"านรอกงเมลวดทยสตบปคจะพหขผชซไใถธณฐศษภฟิีั่้์็าำุูโแๆฯ", true, 200, []Encoding{"windows-874"}, ""},
	}
}

// rarityOf is how much rarer than the first encoding of its languages e is.
func rarityOf(e Encoding) int {
	switch e {
	case "ibm866", "iso-8859-5", "iso-8859-15":
		return 300
	case "iso-8859-2", "iso-8859-7":
		return 100
	}
	return 0
}

// Signs that are used in all languages: those that stand beside letters, and
// those that hardly do.
const (
	besideLetters = "\u00A0«»„“”‘’‚–—…•€£°µ"
	apart         = "§©®™№·×±½¼¾¹²³"
)
