package stdio

import (
	"io"
	"os"
	"testing"
)

func TestOpenKeepsFilesThatAreNoPipes(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "input")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if in, out, drain := Open(f, f); in != io.ReadCloser(f) || out != io.WriteCloser(f) || drain != nil {
		t.Error("a plain file was replaced")
	}
}
