package diff

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

func edit(start, end int, new string) Edit {
	return Edit{Span: text.Span{Start: start, End: end}, New: new}
}

func TestCheck(t *testing.T) {
	const content = "one\ntwo\nthrée\n" // é: bytes 11 and 12
	tests := []struct {
		name  string
		edits []Edit
		want  fault.Kind
		says  []string
	}{
		{"none", nil, "", nil},
		{"apart", []Edit{edit(0, 3, "1"), edit(4, 7, "2")}, "", nil},
		{"touching", []Edit{edit(0, 4, ""), edit(4, 8, "")}, "", nil},
		{"inserts at one place", []Edit{edit(4, 4, "a"), edit(4, 4, "b")}, "", nil},
		{"insert before and behind a replacement", []Edit{edit(4, 4, "a"), edit(4, 8, "b"), edit(8, 8, "c")}, "", nil},
		{"at both ends", []Edit{edit(0, 0, "a"), edit(15, 15, "b")}, "", nil},
		{"sharing bytes", []Edit{edit(0, 5, "a"), edit(4, 8, "b")}, fault.OverlappingEdits,
			[]string{"edit 1 (from line 1, bytes 0 to 5)", "edit 2 (from line 2, bytes 4 to 8)"}},
		{"the same span twice", []Edit{edit(4, 7, "a"), edit(4, 7, "b")}, fault.OverlappingEdits, nil},
		{"one inside the other", []Edit{edit(0, 14, "a"), edit(4, 7, "b")}, fault.OverlappingEdits, nil},
		{"insert inside a replacement", []Edit{edit(0, 3, "a"), edit(1, 1, "b")}, fault.OverlappingEdits, nil},
		{"not sorted, overlapping", []Edit{edit(4, 8, "b"), edit(0, 5, "a")}, fault.OverlappingEdits, nil},
		{"not sorted", []Edit{edit(4, 8, "b"), edit(0, 3, "a")}, fault.Internal, []string{"1 and 2"}},
		{"insert listed behind what it precedes", []Edit{edit(4, 8, "b"), edit(4, 4, "a")}, fault.Internal, nil},
		{"past the end", []Edit{edit(0, 16, "")}, fault.Internal, []string{"0 to 16", "15 bytes"}},
		{"negative", []Edit{edit(-1, 0, "")}, fault.Internal, nil},
		{"backwards", []Edit{edit(3, 2, "")}, fault.Internal, nil},
		{"inside a character", []Edit{edit(0, 12, "")}, fault.Internal, []string{"splits a character"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Check(text.New(content), tt.edits)
			if kind := fault.KindOf(err); kind != tt.want {
				t.Fatalf("got %v, want kind %q", err, tt.want)
			}
			for _, s := range tt.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not say %q", err, s)
				}
			}
		})
	}
}

func TestApply(t *testing.T) {
	tests := []struct {
		name, content string
		edits         []Edit
		want          string
	}{
		{"none", "abc", nil, "abc"},
		{"offsets are the original's", "abc", []Edit{edit(0, 1, "long"), edit(2, 3, "")}, "longb"},
		{"inserts keep their order", "ab", []Edit{edit(1, 1, "1"), edit(1, 1, "2"), edit(1, 2, "3")}, "a123"},
		{"into nothing", "", []Edit{edit(0, 0, "a"), edit(0, 0, "b")}, "ab"},
		{"all of it", "abc", []Edit{edit(0, 3, "")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Apply(text.New(tt.content), tt.edits).String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMinimal(t *testing.T) {
	tests := []struct {
		name, content string
		edit          Edit
		want          Edit
	}{
		{"first and last characters", "xabcy", edit(1, 4, "aBc"), edit(2, 3, "B")},
		{"insert", "ac", edit(0, 2, "abc"), edit(1, 1, "b")},
		{"delete", "abc", edit(0, 3, "ac"), edit(1, 2, "")},
		{"repeated text is counted once", "aa", edit(0, 2, "aaa"), edit(2, 2, "a")},
		{"nothing in common", "abc", edit(0, 3, "xyz"), edit(0, 3, "xyz")},
		{"characters of one first byte", "é", edit(0, 2, "è"), edit(0, 2, "è")},
		{"characters of one last byte", "é", edit(0, 2, "ǩ"), edit(0, 2, "ǩ")},
		{"LF to CRLF", "a\nb", edit(0, 3, "a\r\nb"), edit(1, 2, "\r\n")},
		{"CRLF to LF", "a\r\nb", edit(0, 4, "a\nb"), edit(1, 3, "\n")},
		{"CRLF to CR", "a\r\nb", edit(0, 4, "a\rb"), edit(1, 3, "\r")},
		{"a CR inserted before an LF", "a\nb", edit(1, 1, "\r"), edit(1, 2, "\r\n")},
		{"an LF inserted behind a CR", "a\rb", edit(2, 2, "\n"), edit(1, 2, "\r\n")},
		{"what parts a CR and an LF is deleted", "\rx\n", edit(1, 2, ""), edit(0, 3, "\r\n")},
		{"inside a CRLF", "a\r\nb", edit(2, 2, "x"), edit(1, 3, "\rx\n")},
		{"an LF of a CRLF", "a\r\nb", edit(2, 3, ""), edit(1, 3, "\r")},
		{"CRLF lines", "a\r\nb\r\n", edit(0, 6, "a\r\nB\r\n"), edit(3, 4, "B")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Minimal(text.New(tt.content), tt.edit)
			if !ok || got != tt.want {
				t.Errorf("got %v %v, want %v", got, ok, tt.want)
			}
		})
	}
}

func TestMinimalOfNoChange(t *testing.T) {
	for _, content := range []string{"", "abc", "\r\n", "é"} {
		if got, ok := Minimal(text.New(content), edit(0, len(content), content)); ok {
			t.Errorf("%q: got %v, want none", content, got)
		}
	}
}

func TestMinimalProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		content := text.New(randomText(r, 12))
		e := randomEdit(r, content, content.Len())
		checkMinimal(t, content, e)
	}
}

func checkMinimal(t *testing.T, content text.Text, e Edit) {
	t.Helper()
	before, want := content.String(), Apply(content, []Edit{e}).String()
	m, ok := Minimal(content, e)
	if got := Apply(content, []Edit{m}).String(); got != want {
		t.Fatalf("%q: %v became %v, which gives %q, not %q", before, e, m, got, want)
	}
	if ok != (before != want) {
		t.Fatalf("%q: %v became %v, %v", before, e, m, ok)
	}
	for _, border := range []struct {
		s string
		i int
	}{
		{before, m.Span.Start}, {before, m.Span.End},
		{want, m.Span.Start}, {want, m.Span.Start + len(m.New)},
	} {
		if !isBorder(border.s, border.i) {
			t.Fatalf("%q: %v became %v, which cuts %q at %d", before, e, m, border.s, border.i)
		}
	}
	if again, _ := Minimal(content, m); again != m {
		t.Fatalf("%q: %v became %v and then %v", before, e, m, again)
	}
}
