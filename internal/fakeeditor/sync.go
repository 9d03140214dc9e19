package fakeeditor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
)

// Open opens the file at an absolute path, as UTF-8 or as its mark says, and
// returns its URI.
func (e *Editor) Open(path, language string) (string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return e.OpenAs(path, language, DetectFormat(raw))
}

// OpenAs opens the file at an absolute path in a given format.
func (e *Editor) OpenAs(path, language string, f Format) (string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	uri := FileURI(path)
	text := e.shown(f.Decode(raw))
	d := &document{uri: uri, path: path, language: language, text: text, base: text, format: f}
	return uri, e.open(d)
}

// OpenText opens a document with the given text whatever the disk says: an
// untitled one, one whose file does not exist yet, or one with unsaved text
// from an earlier session.
func (e *Editor) OpenText(uri, language, text string) error {
	d := &document{uri: uri, path: pathOf(uri), language: language, text: text}
	raw, err := os.ReadFile(d.path)
	d.unsaved = err != nil
	d.format = DetectFormat(raw)
	d.base = e.shown(d.format.Decode(raw))
	return e.open(d)
}

// shown is what the editor makes of a file's text when it reads it.
func (e *Editor) shown(text string) string {
	if e.opts.NormalizeEOL && e.opts.LineRule == AnyLineEnd {
		return normalise(text, lineEnding(text, AnyLineEnd))
	}
	return text
}

func (e *Editor) open(d *document) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.docs[d.uri] != nil {
		return fmt.Errorf("%s is open already", d.uri)
	}
	e.appear(d)
	return nil
}

// appear tells the server of a document that is shown from now on.
func (e *Editor) appear(d *document) {
	d.version = e.opts.FirstVersion
	e.docs[d.uri] = d
	e.conn.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": d.uri, "languageId": d.language, "version": d.version, "text": d.text,
	}})
	e.tellState(d)
}

// Type inserts text at a place.
func (e *Editor) Type(name string, at Point, text string) error {
	return e.Replace(name, at, at, text)
}

// Replace replaces what stands between two places, as one undo step.
func (e *Editor) Replace(name string, from, to Point, text string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err != nil {
		return err
	}
	start, err := pointOffset(d.text, from)
	if err != nil {
		return err
	}
	end, err := pointOffset(d.text, to)
	if err != nil {
		return err
	}
	if end < start {
		return fmt.Errorf("%v lies before %v", to, from)
	}
	e.change(d, []splice{{start, end, text}})
	return nil
}

// ReplaceAll replaces the whole text and tells it without a range.
func (e *Editor) ReplaceAll(name, text string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err != nil {
		return err
	}
	e.step(d, text)
	e.tell(d, []contentChange{{Text: text}})
	return nil
}

// Undo takes the last step back, a person's or the server's.
func (e *Editor) Undo(name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err != nil {
		return err
	}
	if len(d.undo) == 0 {
		return fmt.Errorf("%s has nothing to undo", name)
	}
	steps := d.undo
	e.change(d, []splice{minimal(d.text, steps[len(steps)-1])})
	d.undo = steps[:len(steps)-1]
	return nil
}

// Hold collects a document's changes until Flush sends them in one
// notification, as an editor does that waits for a pause in typing.
func (e *Editor) Hold(name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err == nil {
		d.held = true
	}
	return err
}

// Flush ends Hold.
func (e *Editor) Flush(name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err == nil {
		e.flush(d)
	}
	return err
}

func (e *Editor) flush(d *document) {
	changes := d.waiting
	d.held, d.waiting = false, nil
	if len(changes) > 0 {
		e.didChange(d, changes)
	}
}

// change applies splices one after the other, each to the result of the one
// before, as one undo step and one event.
func (e *Editor) change(d *document, splices []splice) {
	text, changes := d.text, make([]contentChange, 0, len(splices))
	for _, s := range splices {
		changes = append(changes, contentChange{Range: e.rangeOf(text, s), Text: s.text})
		text = s.apply(text)
	}
	e.step(d, text)
	if e.serverCap.fullSync {
		changes = []contentChange{{Text: text}}
	}
	e.tell(d, changes)
}

func (e *Editor) rangeOf(text string, s splice) *Range {
	return &Range{e.coords.position(text, s.start), e.coords.position(text, s.end)}
}

func (e *Editor) step(d *document, text string) {
	d.undo = keepLast(append(d.undo, d.text), e.opts.Remembers)
	d.text = text
}

// tell counts the event's version and sends its changes, or keeps them.
func (e *Editor) tell(d *document, changes []contentChange) {
	if e.opts.VersionPerChange {
		d.version += len(changes)
	} else {
		d.version++
	}
	if d.held {
		d.waiting = append(d.waiting, changes...)
		return
	}
	e.didChange(d, changes)
}

func (e *Editor) didChange(d *document, changes []contentChange) {
	id := map[string]any{"uri": d.uri, "version": d.version}
	if wire := e.behaviour.WireVersion; wire != nil {
		delete(id, "version")
		if v := wire(d.version); v != nil {
			id["version"] = *v
		}
	}
	if lie := e.behaviour.WireRange; lie != nil {
		changes = slices.Clone(changes)
		for i := range changes {
			changes[i].Range = lie
		}
	}
	e.conn.notify("textDocument/didChange", map[string]any{
		"textDocument": id, "contentChanges": changes,
	})
}

// Save writes the document to its file and tells the server.
func (e *Editor) Save(name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err != nil {
		return err
	}
	return e.save(d)
}

func (e *Editor) save(d *document) error {
	if d.path == "" {
		return errNoPath
	}
	e.flush(d)
	if rewrite := e.behaviour.SaveRewrite; rewrite != nil {
		if after := rewrite(d.text); after != d.text {
			e.change(d, []splice{minimal(d.text, after)})
		}
	}
	raw, err := d.format.Encode(d.text)
	if err != nil {
		return err
	}
	if err := os.WriteFile(d.path, raw, 0o644); err != nil {
		return err
	}
	d.base, d.unsaved = d.text, false
	params := map[string]any{"textDocument": map[string]any{"uri": d.uri}}
	if e.serverCap.includeSaveText {
		params["text"] = d.text
	}
	e.conn.notify("textDocument/didSave", params)
	e.tellState(d)
	return nil
}

// Reload takes the text that the file has on disk, as editors do for clean
// buffers.
func (e *Editor) Reload(name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err != nil {
		return err
	}
	return e.reload(d)
}

func (e *Editor) reload(d *document) error {
	raw, err := os.ReadFile(d.path)
	if err != nil {
		return err
	}
	e.flush(d)
	d.format.BOM = DetectFormat(raw).BOM
	if text := e.shown(d.format.Decode(raw)); text != d.text {
		e.change(d, []splice{minimal(d.text, text)})
	}
	d.base, d.unsaved = d.text, false
	e.tellState(d)
	return nil
}

// Close closes the document; unsaved text is lost, as the person chose.
func (e *Editor) Close(name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err != nil {
		return err
	}
	e.flush(d)
	e.vanish(d)
	return nil
}

// vanish tells the server that a document is closed.
func (e *Editor) vanish(d *document) {
	delete(e.docs, d.uri)
	e.conn.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": d.uri}})
}

func (e *Editor) tellState(d *document) {
	if e.opts.DocumentState {
		e.conn.notify("agent/documentState", e.state(d))
	}
}

func (e *Editor) state(d *document) map[string]any {
	state := map[string]any{
		"uri": d.uri, "version": d.version, "dirty": d.dirty(), "text_hash": textHash(d.text),
	}
	if d.path != "" {
		state["encoding"], state["bom"] = d.format.Encoding, d.format.BOM
	}
	return state
}

func textHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// State sends agent/documentState with some members replaced; a nil value
// leaves its member out.
func (e *Editor) State(name string, replace map[string]any) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err != nil {
		return err
	}
	state := e.state(d)
	for k, v := range replace {
		if state[k] = v; v == nil {
			delete(state, k)
		}
	}
	e.conn.notify("agent/documentState", state)
	return nil
}
