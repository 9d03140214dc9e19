//go:build linux

package soak

import (
	"fmt"
	"os"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

const (
	typedStart = "// typed {\n"
	typedEnd   = "\n// } typed\n"
)

// sharedText is a source file of which each part has an owner: the typed part,
// and the regions of each assistant. Between them is what nobody changes.
func sharedText(lines int) string {
	var b strings.Builder
	b.WriteString("package shared\n\n" + typedStart + typedEnd + "\n")
	for k := range assistants {
		for i := range regions {
			fmt.Fprintf(&b, "// %s is assistant %d's.\n// Nobody else's.\nvar %[1]s = \"0\"\n\n// end of %[1]s\n\n", region(k, i), k)
		}
	}
	for i := range lines {
		fmt.Fprintf(&b, "// F%d does nothing, %d times over.\nfunc F%[1]d(x int) int {\n\treturn x + %[2]d\n}\n\n", i, i*i)
	}
	return b.String()
}

// region is the name of an assistant's region.
func region(assistant, i int) string { return fmt.Sprintf("a%d_%d", assistant, i) }

// regionLine is the one line of a region that changes.
func regionLine(name, value string) string { return fmt.Sprintf("var %s = %q", name, value) }

// value is what a region holds in text; it fails where there are none or two.
func value(text, name string) (string, error) {
	head := "var " + name + ` = "`
	if n := strings.Count(text, head); n != 1 {
		return "", fmt.Errorf("region %s is there %d times", name, n)
	}
	_, rest, _ := strings.Cut(text, head)
	v, _, ok := strings.Cut(rest, "\"")
	if !ok {
		return "", fmt.Errorf("region %s has no end", name)
	}
	return v, nil
}

// setValue is text with another value in a region.
func setValue(text, name, old, now string) string {
	return strings.Replace(text, regionLine(name, old), regionLine(name, now), 1)
}

// typedIn is what the person typed into text, with lines that end in LF.
func typedIn(text string) (string, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	_, rest, ok := strings.Cut(text, typedStart)
	typed, _, end := strings.Cut(rest, typedEnd)
	if !ok || !end || strings.Count(text, typedStart) != 1 || strings.Count(text, typedEnd) != 1 {
		return "", fmt.Errorf("the typed part is not there, or is there twice")
	}
	return typed, nil
}

// onDisk is the text of a file.
func onDisk(path string) (string, error) {
	raw, err := os.ReadFile(path)
	return fakeeditor.DetectFormat(raw).Decode(raw), err
}
