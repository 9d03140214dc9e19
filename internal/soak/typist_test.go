//go:build linux

package soak

import (
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"
)

// typist is the person at a seat: 20 keys a second, each followed by a look at
// what the server has of the document.
type typist struct {
	*seat
	rnd *rand.Rand
}

const keysPerSecond = 20

// most is how much is typed into a document before the person clears it.
const most = 600

var keys = []string{"a", "b", "e", " ", " ", "\n", "\t", "x := 1", "ä", "€", "\U0001F600", "e\u0301", "}", "("}

func (t *typist) pause() time.Duration { return time.Second / keysPerSecond }

func (t *typist) step() {
	name := t.docs[t.rnd.IntN(len(t.docs))]
	key, what := keys[t.rnd.IntN(len(keys))], t.rnd.IntN(1000)
	switch {
	case what < 12:
		t.alone(func() { t.save(name) })
	case what < 20:
		t.alone(func() { t.shutOrOpen(name) })
	default:
		t.among(func() { t.press(name, key, what) })
	}
}

// press presses a key, or another of the things that change a text.
func (t *typist) press(name, key string, what int) {
	was := t.typed[name]
	now := was + key
	switch {
	case len(was) > most:
		now = ""
	case what < 130 && was != "": // backspace
		_, n := utf8.DecodeLastRuneInString(was)
		now = was[:len(was)-n]
	case what < 140: // pasted
		now = was + strings.Repeat(key+" pasted ", 20)
	case what < 150: // put before what is there
		now = key + was
	}
	came := t.did(t.name, "types in %s: %q → %q", name, end(was), end(now))
	if !t.has(name) {
		came("it is closed")
		return
	}
	if !t.must(t.editor.Change(t.path(name), func(text string) (int, int, string) { return t.splice(text, was, now) })) {
		return
	}
	t.typed[name] = now
	t.look(name)
	came("ok")
}

// splice is the change that makes now of what was typed.
func (t *typist) splice(text, was, now string) (start, end int, with string) {
	start = strings.Index(text, "// typed {") + len("// typed {")
	start += strings.IndexByte(text[start:], '\n') + 1
	end = strings.Index(text, "// } typed") - 1
	if end > 0 && text[end-1] == '\r' {
		end--
	}
	if end > start && strings.HasPrefix(now, was) {
		return end, end, now[len(was):]
	}
	return start, max(start, end), now
}

// look wants the server to have the document as the editor has it, with all that
// was typed.
func (t *typist) look(name string) {
	d, open := t.mirror(name)
	if !open {
		return
	}
	if typed, err := typedIn(d.Text); err != nil || typed != t.typed[name] {
		t.fail("%s: typed text is lost in %s: %q instead of %q (%v)", t.name, name, typed, t.typed[name], err)
	}
}

// save saves a document. Nobody else may be in a step: who saves does not look
// whether the file has changed meanwhile.
func (t *typist) save(name string) {
	if !t.has(name) || !t.up.Load() {
		return
	}
	came := t.did(t.name, "saves %s", name)
	t.must(t.editor.Save(t.path(name)))
	t.look(name)
	came("ok")
}

// shutOrOpen saves and closes a document, or opens it.
func (t *typist) shutOrOpen(name string) {
	if !t.up.Load() {
		return
	}
	if t.has(name) {
		came := t.did(t.name, "closes %s", name)
		t.must(t.editor.SaveAndClose(t.path(name)))
		came("ok")
		return
	}
	came := t.did(t.name, "opens %s", name)
	t.must(t.open(name, nil))
	t.look(name)
	came("ok")
}

// end is the end of a text.
func end(s string) string {
	r := []rune(s)
	return string(r[max(0, len(r)-12):])
}
