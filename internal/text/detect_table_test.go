package text

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// sampleFiles hold texts of one language each, as people write them: in the
// first line the encodings that they are found in, then sections.
//
//go:embed testdata/samples
var sampleFiles embed.FS

// sample is one text, and what sort it is of.
type sample struct{ sort, text string }

// samplesOf reads a file of samples.
func samplesOf(t testing.TB, name string) (encodings []Encoding, all []sample) {
	t.Helper()
	raw, err := fs.ReadFile(sampleFiles, name)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(raw), "\n")
	for e := range strings.FieldsSeq(head) {
		encodings = append(encodings, Encoding(e))
	}
	for section := range strings.SplitSeq(body, "== ") {
		sort, lines, ok := strings.Cut(section, "\n")
		if !ok {
			continue
		}
		all = append(all, sample{sort, lines}, sample{sort, strings.ReplaceAll(lines, "\n", "\r\n")})
		for line := range strings.Lines(lines) {
			line = strings.TrimSuffix(line, "\n")
			all = append(all, sample{sort, line})
			if sort == "short" {
				all = append(all, sample{"comment", "x = 1 # " + line + "\n"}, sample{"source", surround(line)})
			}
		}
	}
	return encodings, slices.DeleteFunc(all, func(s sample) bool { return isASCII(s.text) })
}

func isASCII(s string) bool { return asciiPrefix([]byte(s)) == len(s) }

// score is how many texts were read rightly.
type score struct{ right, total int }

func (s *score) count(right bool) {
	s.total++
	if right {
		s.right++
	}
}

// scores are those of one encoding: of all its texts, and of those shorter
// than shortText bytes.
type scores struct{ all, short score }

const shortText = 40

// detectionFloors are how many texts of each encoding are read rightly, in
// hundredths of all and of the short ones. They are what is reached: a change
// that reads fewer has to say why.
var detectionFloors = map[Encoding][2]int{
	EncodingGB18030: {100, 100}, EncodingGBK: {100, 100}, EncodingBig5: {100, 100}, EncodingEUCKR: {100, 100},
	EncodingShiftJIS: {95, 90}, EncodingEUCJP: {97, 95},
	"windows-1251": {100, 100}, "koi8-r": {100, 100}, "koi8-u": {100, 100}, "ibm866": {100, 100}, "iso-8859-5": {100, 100},
	EncodingWindows1252: {100, 100}, EncodingLatin1: {100, 100}, "iso-8859-15": {100, 100},
	"windows-1250": {96, 91}, "iso-8859-2": {98, 96}, // a single ę or ş may be ê or º
	"windows-1254": {96, 91}, "iso-8859-9": {96, 91}, "windows-1257": {90, 85},
	"windows-1253": {100, 100}, "iso-8859-7": {100, 100}, "windows-1255": {100, 100}, "windows-1256": {100, 100},
	"windows-1258": {100, 100}, "windows-874": {100, 100},
	EncodingUTF16LE: {99, 96}, EncodingUTF16BE: {99, 96},
}

func TestDetectTable(t *testing.T) {
	table := make(map[Encoding]*scores)
	names, err := fs.Glob(sampleFiles, "testdata/samples/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, name := range names {
		encodings, all := samplesOf(t, name)
		for _, e := range slices.Concat(encodings, []Encoding{EncodingUTF16LE, EncodingUTF16BE}) {
			if table[e] == nil {
				table[e] = new(scores)
			}
			for _, s := range all {
				if e == "windows-1258" {
					s.text = vietnamese(s.text)
				}
				raw, err := Format{Encoding: e}.Encode(New(s.text))
				if err != nil {
					t.Fatalf("%s: %q is not written in %s: %v", name, s.text, e, err)
				}
				d := decoded(t, raw, "")
				right := d.Text.String() == s.text
				table[e].all.count(right)
				if len(raw) < shortText {
					table[e].short.count(right)
				}
				if !right {
					t.Logf("%s %s in %s: taken for %s: %q", path.Base(name), s.sort, e, d.Format.Encoding, s.text[:min(len(s.text), 60)])
				}
			}
		}
	}
	for _, e := range slices.Sorted(maps.Keys(table)) {
		s := table[e]
		t.Logf("%-14s %4d of %4d; shorter than %d bytes: %3d of %3d", e, s.all.right, s.all.total, shortText, s.short.right, s.short.total)
		floor, ok := detectionFloors[e]
		if !ok {
			t.Errorf("%s: no floor", e)
		}
		if 100*s.all.right < floor[0]*s.all.total || 100*s.short.right < floor[1]*s.short.total {
			t.Errorf("%s: fewer than %d %% of all, or %d %% of the short texts", e, floor[0], floor[1])
		}
	}
}

// vietnamese writes tones as windows-1258 does: as marks behind the letters.
func vietnamese(s string) string {
	const circumflex, breve, horn = '\u0302', '\u0306', '\u031B'
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if r != circumflex && r != breve && r != horn {
			b.WriteRune(r)
			continue
		}
		// The mark belongs to the letter: one with a tone between them keeps it behind.
		text := b.String()
		letters := []rune(text)
		last := len(letters) - 1
		for last > 0 && letters[last] >= 0x300 && letters[last] < 0x370 {
			last--
		}
		joined := []rune(norm.NFC.String(string([]rune{letters[last], r})))
		letters = slices.Concat(letters[:last], joined, letters[last+1:])
		b.Reset()
		b.WriteString(string(letters))
	}
	return b.String()
}
