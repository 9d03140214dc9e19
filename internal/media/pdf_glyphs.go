package media

import "strings"

// glyphs are the names of signs, as Adobe's list has them.
var glyphs = map[string]string{
	"space": " ", "exclam": "!", "quotedbl": "\"", "numbersign": "#", "dollar": "$", "percent": "%", "ampersand": "&",
	"quotesingle": "'", "parenleft": "(", "parenright": ")", "asterisk": "*", "plus": "+", "comma": ",", "hyphen": "-",
	"period": ".", "slash": "/", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
	"seven": "7", "eight": "8", "nine": "9", "colon": ":", "semicolon": ";", "less": "<", "equal": "=", "greater": ">",
	"question": "?", "at": "@", "bracketleft": "[", "backslash": "\\", "bracketright": "]", "asciicircum": "^",
	"underscore": "_", "grave": "`", "braceleft": "{", "bar": "|", "braceright": "}", "asciitilde": "~",
	"ff": "ff", "fi": "fi", "fl": "fl", "ffi": "ffi", "ffl": "ffl", "quoteleft": "‘", "quoteright": "’",
	"quotedblleft": "“", "quotedblright": "”", "quotesinglbase": "‚", "quotedblbase": "„", "guillemotleft": "«",
	"guillemotright": "»", "guilsinglleft": "‹", "guilsinglright": "›", "endash": "–", "emdash": "—", "bullet": "•",
	"ellipsis": "…", "dagger": "†", "daggerdbl": "‡", "section": "§", "paragraph": "¶", "copyright": "©",
	"registered": "®", "trademark": "™", "degree": "°", "plusminus": "±", "multiply": "×", "divide": "÷", "minus": "−",
	"fraction": "⁄", "onehalf": "½", "onequarter": "¼", "threequarters": "¾", "mu": "µ", "cent": "¢", "sterling": "£",
	"yen": "¥", "Euro": "€", "currency": "¤", "brokenbar": "¦", "logicalnot": "¬", "exclamdown": "¡",
	"questiondown": "¿", "ordfeminine": "ª", "ordmasculine": "º", "periodcentered": "·", "onesuperior": "¹",
	"twosuperior": "²", "threesuperior": "³", "germandbls": "ß", "AE": "Æ", "ae": "æ", "OE": "Œ", "oe": "œ",
	"Oslash": "Ø", "oslash": "ø", "Lslash": "Ł", "lslash": "ł", "Eth": "Ð", "eth": "ð", "Thorn": "Þ", "thorn": "þ",
	"dotlessi": "ı", "nbspace": "\u00A0", "visiblespace": "␣", "arrowright": "→", "arrowleft": "←", "notequal": "≠",
	"lessequal": "≤", "greaterequal": "≥", "infinity": "∞", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ",
	"epsilon": "ε", "lambda": "λ", "pi": "π", "sigma": "σ", "omega": "ω", "Delta": "Δ", "Omega": "Ω", "Sigma": "Σ",
	"macron": "¯", "acute": "´", "dieresis": "¨", "cedilla": "¸", "circumflex": "ˆ", "tilde": "˜", "caron": "ˇ",
}

// accents are what stands behind a letter in the name of a glyph, with the
// letters that bear it and what they make.
var accents = []struct{ name, letters, made string }{
	{"acute", "AEIOUYaeiouyCcLlNnRrSsZz", "ÁÉÍÓÚÝáéíóúýĆćĹĺŃńŔŕŚśŹź"},
	{"grave", "AEIOUaeiou", "ÀÈÌÒÙàèìòù"},
	{"circumflex", "AEIOUaeiou", "ÂÊÎÔÛâêîôû"},
	{"dieresis", "AEIOUYaeiouy", "ÄËÏÖÜŸäëïöüÿ"},
	{"tilde", "ANOano", "ÃÑÕãñõ"},
	{"ring", "AUau", "ÅŮåů"},
	{"cedilla", "CSTcst", "ÇŞŢçşţ"},
	{"caron", "CDENRSTZcdenrstz", "ČĎĚŇŘŠŤŽčďěňřšťž"},
	{"ogonek", "AEIUaeiu", "ĄĘĮŲąęįų"},
	{"hungarumlaut", "OUou", "ŐŰőű"},
	{"breve", "AGag", "ĂĞăğ"},
	{"dotaccent", "EIZez", "ĖİŻėż"},
	{"macron", "AEIOUaeiou", "ĀĒĪŌŪāēīōū"},
}

// accented returns the letter that a name like "eacute" means, "" for others.
func accented(name string) string {
	for _, a := range accents {
		letter, ok := strings.CutSuffix(name, a.name)
		if i := strings.Index(a.letters, letter); ok && len(letter) == 1 && i >= 0 {
			return string([]rune(a.made)[i])
		}
	}
	return ""
}
