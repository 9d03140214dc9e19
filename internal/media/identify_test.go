package media

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// head makes the beginning of a file as a signature describes it.
func head(s signature) string {
	b := bytes.Repeat([]byte{0xEE}, HeadBytes)
	copy(b[s.thenAt:], s.then)
	copy(b[s.at:], s.magic)
	return string(b)
}

func TestIdentify(t *testing.T) {
	for _, s := range signatures {
		h := head(s)
		if got := Identify(h, true); got.Name != s.Name {
			t.Errorf("%q is taken for %s, not %s", s.magic, got.Name, s.Name)
		}
		if got := Identify(h, false); (got.Name == s.Name) == s.onlyBinary {
			t.Errorf("%q in what may be text: %q", s.magic, got.Name)
		}
		if s.Class == ABinary && !strings.HasSuffix(s.Advice, ".") {
			t.Errorf("%s: the advice is no sentence: %q", s.Name, s.Advice)
		}
		for n := range len(s.magic) + s.at {
			if got := Identify(h[:n], true); got.Name == s.Name && s.Name != "a video file (MP4)" && !strings.HasPrefix(s.Name, "an executable") && s.Name != "a library archive (ar)" {
				t.Errorf("%d bytes are enough for %s", n, s.Name)
			}
		}
	}
	if got := Identify("", true); got.Class != Unknown {
		t.Errorf("nothing is taken for %s", got.Name)
	}
}

// reading gives the bytes of a file, as much as there is.
func reading(raw []byte) func(int64, int) ([]byte, error) {
	return func(off int64, n int) ([]byte, error) {
		off = min(off, int64(len(raw)))
		return raw[off:min(int64(len(raw)), off+int64(n))], nil
	}
}

func TestInZip(t *testing.T) {
	archive := func(comment string, names ...string) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, n := range names {
			e, err := w.CreateHeader(&zip.FileHeader{Name: n, Method: zip.Store})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(e, "x")
		}
		if err := errors.Join(w.SetComment(comment), w.Close()); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, tt := range []struct {
		raw  []byte
		want string
	}{
		{archive("", "a", "b"), "a zip archive of 2 entries"},
		{archive("PK\x05\x06 in a comment", "a"), "a zip archive of 1 entry"},
		{archive(""), "a zip archive of 0 entries"},
		{archive("", "[Content_Types].xml", "xl/workbook.xml"), "an Excel workbook (xlsx)"},
		{archive("", "META-INF/MANIFEST.MF", "A.class"), "a Java archive (jar)"},
		{archive("", "a", "b")[:50], "a zip archive, cut off or damaged"},
		{[]byte("PK\x03\x04"), "a zip archive, cut off or damaged"},
		{[]byte("PK\x05\x06" + strings.Repeat("\xff", 16) + "\x00\x00"), "a zip archive of 65535 entries or more"},
	} {
		got := InZip(string(tt.raw[:min(len(tt.raw), HeadBytes)]), int64(len(tt.raw)), reading(tt.raw))
		if got.Name != tt.want || got.Class != ABinary {
			t.Errorf("got %s, want %s", got.Name, tt.want)
		}
	}
	failing := func(int64, int) ([]byte, error) { return nil, errors.New("no") }
	if got := InZip("PK\x03\x04", 100, failing); got.Name != zipName {
		t.Errorf("unreadable: %s", got.Name)
	}
}
