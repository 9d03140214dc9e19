package text

// How common a sign is that is not of the most frequent ones: the standards
// of East Asia have a first level of signs for everyday use, a second level,
// and what later extensions added.
const (
	costFirstLevel  = 1350
	costSecondLevel = 1750
	costExtension   = 2100
)

// signLength returns how many bytes of raw, which begins with a byte above
// 0x7F, are one sign in e.
func signLength(raw []byte, e Encoding) int {
	lead := raw[0]
	switch {
	case e == EncodingShiftJIS && 0xA1 <= lead && lead <= 0xDF, e == EncodingShiftJIS && lead == 0x80:
		return 1 // a narrow kana
	case e == EncodingEUCJP && lead == 0x8F:
		return 3
	case e == EncodingGB18030 && len(raw) > 1 && '0' <= raw[1] && raw[1] <= '9':
		return 4
	}
	return 2
}

// levelCost is the cost of the rare sign that is raw in e, by where it stands
// in the encoding's table.
func levelCost(raw []byte, e Encoding) int {
	if len(raw) != 2 {
		return costExtension
	}
	lead, trail := raw[0], raw[1]
	inTable := lead >= 0xA1 && trail >= 0xA1 // of 94 by 94 signs, before extensions
	first, second := false, inTable
	switch e {
	case EncodingGB18030, EncodingGBK:
		first = inTable && 0xB0 <= lead && lead <= 0xD7
	case EncodingBig5:
		first, second = 0xA4 <= lead && lead <= 0xC6, 0xC9 <= lead && lead <= 0xF9
	case EncodingShiftJIS:
		first, second = 0x88 <= lead && lead <= 0x98, 0x98 <= lead && lead <= 0xEA
	case EncodingEUCJP:
		first = inTable && 0xB0 <= lead && lead <= 0xCF
	case EncodingEUCKR:
		first = inTable && 0xB0 <= lead && lead <= 0xC8
	}
	switch {
	case first:
		return costFirstLevel
	case second:
		return costSecondLevel
	}
	return costExtension
}
