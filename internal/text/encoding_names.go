package text

// encodingAliases maps further names, as [encodingKey] gives them, to
// canonical ones. Where names of one encoding differ in a few characters
// (Shift_JIS and code page 932, EUC-KR and 949, Big5 and 950) the superset
// that editors mean is taken.
var encodingAliases = map[string]Encoding{
	"utf8bom": EncodingUTF8, "utf8sig": EncodingUTF8, "utf8withbom": EncodingUTF8, "unicode11utf8": EncodingUTF8,
	"ascii": EncodingUTF8, "usascii": EncodingUTF8, "ansix341968": EncodingUTF8, "iso646us": EncodingUTF8,

	"utf16": EncodingUTF16BE, "utf16bebom": EncodingUTF16BE, "utf16lebom": EncodingUTF16LE,
	"ucs2": EncodingUTF16BE, "ucs2be": EncodingUTF16BE, "ucs2le": EncodingUTF16LE, "iso10646ucs2": EncodingUTF16BE, "unicode": EncodingUTF16LE,
	"utf32": EncodingUTF32BE, "ucs4": EncodingUTF32BE, "ucs4be": EncodingUTF32BE, "ucs4le": EncodingUTF32LE, "iso10646ucs4": EncodingUTF32BE,

	"latin1": EncodingLatin1, "l1": EncodingLatin1, "iso88591": EncodingLatin1, "ansi": EncodingLatin1, "iso8859": EncodingLatin1, "cp819": EncodingLatin1, "ibm819": EncodingLatin1,
	"latin2": "iso-8859-2", "l2": "iso-8859-2", "latin3": "iso-8859-3", "l3": "iso-8859-3",
	"latin4": "iso-8859-4", "l4": "iso-8859-4", "latin5": "iso-8859-9", "l5": "iso-8859-9",
	"latin6": "iso-8859-10", "l6": "iso-8859-10", "latin7": "iso-8859-13", "latin8": "iso-8859-14",
	"latin9": "iso-8859-15", "latin0": "iso-8859-15", "latin10": "iso-8859-16",
	"cyrillic": "iso-8859-5", "arabic": "iso-8859-6", "greek": "iso-8859-7", "hebrew": "iso-8859-8", "iso88598i": "iso-8859-8",

	"cp1250": "windows-1250", "cp1251": "windows-1251", "cp1252": EncodingWindows1252, "cp1253": "windows-1253",
	"cp1254": "windows-1254", "cp1255": "windows-1255", "cp1256": "windows-1256", "cp1257": "windows-1257",
	"cp1258": "windows-1258", "cp874": "windows-874", "tis620": "windows-874", "iso885911": "windows-874",
	"win1250": "windows-1250", "win1251": "windows-1251", "win1252": EncodingWindows1252,

	"koi8": "koi8-r", "cskoi8r": "koi8-r", "koi8ru": "koi8-u",

	"cp437": "ibm437", "cp850": "ibm850", "cp852": "ibm852", "cp855": "ibm855", "cp858": "ibm858", "cp860": "ibm860",
	"cp862": "ibm862", "cp863": "ibm863", "cp865": "ibm865", "cp866": "ibm866", "ibm00858": "ibm858",
	"mac": "macintosh", "macroman": "macintosh", "macintoshroman": "macintosh",
	"maccyrillic": "x-mac-cyrillic", "macukrainian": "x-mac-cyrillic",

	"cp936": EncodingGBK, "ms936": EncodingGBK, "windows936": EncodingGBK, "gb2312": EncodingGBK, "gb231280": EncodingGBK, "euccn": EncodingGBK, "chinese": EncodingGBK, "prc": EncodingGBK, "xgbk": EncodingGBK,
	"cp54936": EncodingGB18030, "gb180302000": EncodingGB18030, "gb180302005": EncodingGB18030,
	"cp950": EncodingBig5, "big5hkscs": EncodingBig5, "bigfive": EncodingBig5, "cnbig5": EncodingBig5, "xxbig5": EncodingBig5, "taiwan": EncodingBig5,
	"sjis": EncodingShiftJIS, "cp932": EncodingShiftJIS, "ms932": EncodingShiftJIS, "mskanji": EncodingShiftJIS, "xsjis": EncodingShiftJIS, "windows31j": EncodingShiftJIS, "windows932": EncodingShiftJIS,
	"ujis": EncodingEUCJP, "xeucjp": EncodingEUCJP, "japan": EncodingEUCJP, "eucjpms": EncodingEUCJP, "cp51932": EncodingEUCJP, "cp20932": EncodingEUCJP,
	"cp949": EncodingEUCKR, "ms949": EncodingEUCKR, "uhc": EncodingEUCKR, "ksc5601": EncodingEUCKR, "ksc56011987": EncodingEUCKR, "ksx1001": EncodingEUCKR,
	"windows949": EncodingEUCKR, "korea": EncodingEUCKR, "korean": EncodingEUCKR, "cp51949": EncodingEUCKR,
}
