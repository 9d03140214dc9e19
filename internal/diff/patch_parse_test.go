package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// summary tells what a patch asks for, a line a file.
func (p Patch) summary() string {
	var b strings.Builder
	for _, f := range p.Files {
		fmt.Fprintf(&b, "%s %s", f.Op, f.Path)
		if f.To != "" {
			b.WriteString(" -> " + f.To)
		}
		if f.Mode != "" {
			b.WriteString(" mode " + string(f.Mode))
		}
		if f.Op == PatchAdd {
			fmt.Fprintf(&b, " %q", f.Content())
		}
		for _, h := range f.Hunks {
			if f.Op != PatchAdd {
				fmt.Fprintf(&b, " [%d at %d: -%d +%d]", h.Line, h.at, h.old, h.new)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestParsePatch(t *testing.T) {
	const hunk = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
	tests := []struct{ name, patch, want string }{
		{"plain", "--- f\n+++ f\n" + hunk, "update f [3 at 0: -2 +2]\n"},
		{"git's prefixes", "--- a/x/f\n+++ b/x/f\n" + hunk, "update x/f [3 at 0: -2 +2]\n"},
		{"git's other prefixes", "diff --git i/f w/f\n--- i/f\n+++ w/f\n" + hunk, "update f [4 at 0: -2 +2]\n"},
		{"no prefixes, in a folder a", "diff --git a/f a/f\n--- a/f\n+++ a/f\n" + hunk, "update a/f [4 at 0: -2 +2]\n"},
		{"no prefixes, new", "diff --git b/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n", "add b/f mode 100644 \"x\\n\"\n"},
		{"of two folders", "diff -ru old/x/f new/x/f\n--- old/x/f\t2024-01-01 00:00:00.0 +0000\n+++ new/x/f\t2024-01-02 00:00:00.0 +0000\n" + hunk, "update x/f [4 at 0: -2 +2]\n"},
		{"one prefix", "--- a/f\n+++ f\n" + hunk, "update f [3 at 0: -2 +2]\n"},
		{"one prefix, of the new name", "--- f\n+++ b/f\n" + hunk, "update f [3 at 0: -2 +2]\n"},
		{"one prefix, and another name", "--- f\n+++ b/g\n" + hunk, `line 1 of the patch: the names "f" and "b/g" are of two files`},
		{"a kept file", "--- f.orig\t2024\n+++ f\t2024\n" + hunk, "update f [3 at 0: -2 +2]\n"},
		{"a new file beside it", "--- f\n+++ f.new\n" + hunk, "update f [3 at 0: -2 +2]\n"},
		{"another file beside it", "--- f\n+++ f.txt\n" + hunk, `line 1 of the patch: the names "f" and "f.txt" are of two files`},
		{"two names", "--- f\n+++ g\n" + hunk, `line 1 of the patch: the names "f" and "g" are of two files`},
		{"blanks in names", "diff --git a/my f b/my f\n--- a/my f\t\n+++ b/my f\t\n" + hunk, "update my f [4 at 0: -2 +2]\n"},
		{"quoted names", "diff --git \"a/\\303\\244 \\\"x\\\\\" \"b/\\303\\244 \\\"x\\\\\"\n--- \"a/\\303\\244 \\\"x\\\\\"\n+++ \"b/\\303\\244 \\\"x\\\\\"\n" + hunk,
			"update ä \"x\\ [4 at 0: -2 +2]\n"},
		{"one quoted", "diff --git a/x \"b/x\"\nold mode 100644\nnew mode 100755\n", "update x mode 100755\n"},
		{"new", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n", "add f \"a\\nb\"\n"},
		{"new by its time", "--- f\t1970-01-01 00:00:00.000000000 +0000\n+++ f\t2024-01-01 00:00:00.0 +0000\n@@ -0,0 +1 @@\n+a\n", "add f \"a\\n\"\n"},
		{"deleted by its time", "--- f\t2024-01-01 00:00:00.0 +0000\n+++ f\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-a\n", "delete f [3 at 0: -1 +0]\n"},
		{"an old time of a file with lines", "--- f\t2024-01-01 00:00:00.0 +0000\n+++ f\t1970-01-01 00:00:00.000000000 +0000\n" + hunk, "update f [3 at 0: -2 +2]\n"},
		{"an old time, and hunks that leave nothing of their lines", "--- f\t2024-01-01 00:00:00.0 +0000\n+++ f\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-a\n@@ -3 +1,0 @@\n-b\n", "update f [3 at 0: -1 +0] [5 at 2: -1 +0]\n"},
		{"new and empty", "diff --git a/f b/f\nnew file mode 100755\nindex 0000000..e69de29\n", "add f mode 100755 \"\"\n"},
		{"new with old lines", "--- /dev/null\n+++ b/f\n" + hunk, "line 3 of the patch: the hunk of a new file, f, has old lines"},
		{"deleted", "diff --git a/f b/f\ndeleted file mode 100644\nindex 1..0\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "delete f [6 at 0: -1 +0]\n"},
		{"deleted with lines that stay", "--- a/f\n+++ /dev/null\n" + hunk, "line 3 of the patch: the hunk of a deleted file, f, has lines that stay"},
		{"renamed", "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to x/g\n", "move f -> x/g\n"},
		{"renamed and changed", "diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\nindex 1..2 100644\n--- a/f\n+++ b/g\n" + hunk, "move f -> g [8 at 0: -2 +2]\n"},
		{"renamed, without git's line", "rename from f\nrename to g\n--- a/f\n+++ b/g\n" + hunk + "rename from x\nrename to y\nrename from v\nrename to w\n", "move f -> g [5 at 0: -2 +2]\nmove x -> y\nmove v -> w\n"},
		{"copied", "diff --git a/f b/g\nsimilarity index 90%\ncopy from f\ncopy to g\n", "line 3 of the patch: copies are not taken"},
		{"modes", "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n--- a/f\n+++ b/f\n" + hunk, "update f mode 100755 [6 at 0: -2 +2]\n"},
		{"other bits of a mode", "diff --git a/f b/f\nold mode 100711\nnew mode 100664\ndiff --git a/g b/g\nnew mode 100511\ndiff --git a/h b/h\nnew mode 100655\n", "update f mode 100644\nupdate g mode 100755\nupdate h mode 100644\n"},
		{"a mode that stays", "diff --git a/f b/f\nindex 1..2 100755\n--- a/f\n+++ b/f\n" + hunk, "update f [5 at 0: -2 +2]\n"},
		{"no mode", "diff --git a/f b/f\nnew mode 755 \n", "line 2 of the patch: \"755 \" is no mode of a file"},
		{"a mode without a kind", "diff --git a/f b/f\nnew mode 755\n", "line 2 of the patch: \"755\" is no mode of a file"},
		{"a folder's mode", "diff --git a/f b/f\nnew file mode 040000\n", "line 2 of the patch: \"040000\" is no mode of a file"},
		{"a link becomes a file", "diff --git a/f b/f\nold mode 120000\nnew mode 100644\n", "line 2 of the patch: symbolic links"},
		{"a link goes", "diff --git a/f b/f\ndeleted file mode 120000\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "line 2 of the patch: symbolic links"},
		{"a submodule comes", "diff --git a/f b/f\nnew file mode 160000\n", "line 2 of the patch: submodules"},
		{"words about binary files", "Binary files are left out,\nand where both differ\n--- a/f\n+++ b/f\n" + hunk, "update f [5 at 0: -2 +2]\n"},
		{"one of a header's numbers is spoiled", "--- a/f\n+++ b/f\n@@ -1,2 +x @@\n a\n-b\n@@ -x +5 @@\n-c\n+d\n", "update f [3 at -1: -2 +1] [6 at -1: -1 +1]\n"},
		{"words about renaming", "rename from here on\n\nand\nrename to what\n--- a/f\n+++ b/f\n" + hunk, "update f [7 at 0: -2 +2]\n"},
		{"a link", "diff --git a/f b/f\nnew file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n", "line 2 of the patch: symbolic links"},
		{"a link's target", "diff --git a/f b/f\nindex 1..2 120000\n--- a/f\n+++ b/f\n" + hunk, "line 2 of the patch: symbolic links"},
		{"a submodule", "diff --git a/f b/f\nindex 1..2 160000\n--- a/f\n+++ b/f\n" + hunk, "line 2 of the patch: submodules"},
		{"binary", "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIc$\n", "line 3 of the patch: it changes a binary file"},
		{"binary files differ", "--- a/g\n+++ b/g\n" + hunk + "Binary files a/f and b/f differ\n", "line 7 of the patch: it changes a binary file"},
		{"combined", "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n++x\n", "line 1 of the patch: combined diffs"},
		{"combined by its hunk", "--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n++x\n", "line 3 of the patch: combined diffs"},
		{"a context diff", "*** f\t2024\n--- f\t2024\n***************\n*** 1 ****\n! a\n", "line 1 of the patch: context diffs"},
		{"a hunk alone", "x\n" + hunk, "line 2 of the patch: a hunk stands before any file is named"},
		{"names alone", "--- a/f\n+++ b/f\n\n", "line 3 of the patch: no hunk follows the names of a file"},
		{"an empty hunk", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n", "line 3 of the patch: a hunk has no lines"},
		{"nothing", "", "line 1 of the patch: no file is named in it"},
		{"prose", "please change f\n", "line 1 of the patch: no file is named in it"},
		{"a mail", "From 0123456789 Mon Sep 17\nSubject: [PATCH] x\n\n- a point\n+ another\n---\n f | 2 +-\n\n--- a/f\n+++ b/f\n" + hunk + "-- \n2.39.5\n\n" +
			"From 0123456789 Mon Sep 17\n\n- a point\n---\n g | 2 +-\n\ndiff --git a/g b/g\n--- a/g\n+++ b/g\n" + hunk + "-- \n2.39.5\n",
			"update f [11 at 0: -2 +2]\nupdate g [27 at 0: -2 +2]\n"},
		{"a mail with wrong counts", "--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n a\n-b\n-- \n2.39.5\n", "update f [3 at -1: -2 +1]\n"},
		{"git show", "commit 0123456789abcdef\nAuthor: x\n\n    words\n\ndiff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n" + hunk, "update f [10 at 0: -2 +2]\n"},
		{"git log with short ids", "--- a/f\n+++ b/f\n" + hunk + "\ncommit 0123456\n\n- a point\n\n--- a/g\n+++ b/g\n" + hunk, "update f [3 at 0: -2 +2]\nupdate g [14 at 0: -2 +2]\n"},
		{"no id of git", "--- a/f\n+++ b/f\n" + hunk + "\ncommit 012345\n\n- a point\n", "line 8 of the patch: a line of a hunk begins with none"},
		{"in a fence", "Here it is:\n```diff\n--- a/f\n+++ b/f\n" + hunk + "```\nDone.\n", "update f [5 at 0: -2 +2]\n"},
		{"wrong counts that fit with the next file's head", "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-a\n+b\n \n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-c\n+d\n", "update f [3 at -1: -2 +2]\nupdate g [9 at 0: -1 +1]\n"},
		{"lines that look like a file's head", "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n x\n--- old\n+++ new\n@@ -9 +9 @@\n-c\n+d\n", "update f [3 at 0: -2 +2] [7 at 8: -1 +1]\n"},
		{"in a fence, wrong counts", "```diff\n--- a/f\n+++ b/f\n@@ -3,9 +4,8 @@\n a\n-b\n```\n", "update f [4 at -1: -2 +1]\n"},
		{"CRLF", strings.ReplaceAll("diff --git a/f b/f\n--- a/f\n+++ b/f\n"+hunk, "\n", "\r\n"), "update f [4 at 0: -2 +2]\n"},
		{"eaten blanks", "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n\n@@ -9 +9 @@\n-x\n+y\n", "update f [3 at 0: -3 +3] [9 at 8: -1 +1]\n"},
		{"eaten blanks, wrong counts", "--- a/f\n+++ b/f\n@@ -1,5 +1,3 @@\n a\n\n-b\n+c\n\n\n@@ -9 +9 @@\n-x\n+y\n", "update f [3 at -1: -3 +3] [10 at 8: -1 +1]\n"},
		{"too few counted", "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n a\n-b\n+c\n", "update f [3 at -1: -2 +2]\n"},
		{"too many counted, then a file", "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n a\n-b\n+c\n--- a/g\n+++ b/g\n" + hunk, "update f [3 at -1: -2 +2]\nupdate g [9 at 0: -2 +2]\n"},
		{"a line without mark", "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\nlost\n-b\n+c\n", "line 5 of the patch: a line of a hunk begins with none of blank, - and +"},
		{"no @@", "diff --git a/f b/f\nindex 1..2 100644\n-a\n+b\n", "line 3 of the patch: a line of a hunk"},
		{"git's header alone", "diff --git a/f b/f\nindex 1..2 100644\n", "line 1 of the patch: nothing is changed in f"},
		{"a line without mark, only context behind it", "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-b\n+c\nlost\n a\n", "update f [3 at -1: -1 +1]\n"},
		{"several anchors", "--- a/f\n+++ b/f\n@@ class A @@\n@@ def b\n-x\n+y\n", "update f [3 at -1: -1 +1]\n"},
		{"envelope", "Sure:\n*** Begin Patch\n*** Add File: n\n+a\n+\n*** Delete File: d\n*** Update File: u\n@@ x\n-a\n+b\n@@\n c\n-d\n*** End of File\n" +
			"*** Update File: m\n*** Move to: o/m\n*** Update File: v\n*** Move to: w\n@@\n-a\n+b\n\n*** End Patch\nDone.\n",
			"add n \"a\\n\\n\"\ndelete d\nupdate u [8 at -1: -1 +1] [11 at -1: -2 +1]\nmove m -> o/m\nmove v -> w [19 at -1: -1 +1]\n"},
		{"an envelope with numbers", "*** Begin Patch\n*** Update File: f\n" + hunk + "*** End Patch", "update f [3 at 0: -2 +2]\n"},
		{"two envelopes", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Begin Patch\n*** Delete File: b\n*** End Patch\n", "delete a\ndelete b\n"},
		{"blank lines between sections", "*** Begin Patch\n\n*** Delete File: a\n \n*** Delete File: b\n*** End Patch\n", "delete a\ndelete b\n"},
		{"blanks around marks", "  *** Begin Patch  \n  *** Update File: f \n@@\n-a\n+b\n  *** End Patch \n", "update f [3 at -1: -1 +1]\n"},
		{"a mark as a line of the file", "*** Begin Patch\n*** Update File: f\n@@\n *** End Patch\n-*** Begin Patch\n+x\n*** End Patch\n", "update f [3 at -1: -2 +2]\n"},
		{"a shell's words around", "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: f\n*** End Patch\nEOF\n", "delete f\n"},
		{"an empty new file", "*** Begin Patch\n*** Add File: f\n*** End Patch\n", "add f \"\"\n"},
		{"CRLF envelope", "*** Begin Patch\r\n*** Add File: f\r\n+a\r\n*** End Patch\r\n", "add f \"a\\n\"\n"},
		{"cut off", "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n", `line 6 of the patch: "*** End Patch" is missing`},
		{"an empty envelope", "*** Begin Patch\n*** End Patch\n", "line 1 of the patch: it is empty"},
		{"no hunks", "*** Begin Patch\n*** Update File: f\n*** End Patch\n", "line 2 of the patch: no hunk follows"},
		{"no name", "*** Begin Patch\n*** Delete File:\n*** End Patch\n", "line 2 of the patch: a file's name is missing"},
		{"no mark", "*** Begin Patch\n*** Update File: f\n@@\n-a\nb\n*** End Patch\n", `line 5 of the patch: "b" is none of the lines`},
		{"a new file without marks", "*** Begin Patch\n*** Add File: f\na\n*** End Patch\n", `line 3 of the patch: "a" is none of the lines`},
		{"an unknown section", "*** Begin Patch\n*** Rename File: f\n*** End Patch\n", `line 2 of the patch: "*** Rename File: f" is none`},
		{"a line of 80 bytes is shown whole", "*** Begin Patch\n" + strings.Repeat("x", 80) + "\n", "line 2 of the patch: \"" + strings.Repeat("x", 80) + "\" is"},
		{"of a longer one the beginning", "*** Begin Patch\n" + strings.Repeat("x", 81) + "\n", "line 2 of the patch: \"" + strings.Repeat("x", 80) + "…\" is"},
		{"too large", strings.Repeat("x", MaxPatch+1), "line 1 of the patch: it has 67108865 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := ParsePatch(tt.patch)
			got := p.summary()
			if err != nil {
				if fault.KindOf(err) != fault.InvalidPatch {
					t.Errorf("kind %s", fault.KindOf(err))
				}
				got = fault.From(err).Message
			}
			if got != tt.want && (err == nil || !strings.HasPrefix(got, tt.want)) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestUnquote: names between two quotation marks are git's, others as they stand.
func TestUnquote(t *testing.T) {
	for name, want := range map[string]string{
		`"a b"`: "a b", `"a\tb"`: "a\tb", `"a`: `"a`, `a"`: `a"`, `"`: `"`, `""`: "", "a": "a", "": "",
	} {
		if got := unquote(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
}

// TestCutOffBehindAName: a patch that ends where its first hunk would begin.
func TestCutOffBehindAName(t *testing.T) {
	for _, end := range []string{"", "\n", "\n\n"} {
		if _, err := ParsePatch("*** Begin Patch\n*** Update File: a.txt" + end); err == nil {
			t.Errorf("%q is a whole patch", end)
		}
	}
}
