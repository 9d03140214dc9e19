package fakeeditor

// Change replaces the bytes [start,end) that find tells of the present text,
// in one step with finding them: nothing comes between. It is one undo step.
func (e *Editor) Change(name string, find func(text string) (start, end int, with string)) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err != nil {
		return err
	}
	start, end, with := find(d.text)
	e.change(d, []splice{{start, end, with}})
	return nil
}

// CallAbout sends a call of a tool and returns with it the document as it is at
// that moment: the server has been told exactly this text when it reads the call.
func (e *Editor) CallAbout(name, tool string, args any) (Document, *Pending, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err != nil {
		return Document{}, nil, err
	}
	e.flush(d)
	p := e.conn.request("agent/tools/call", map[string]any{"name": tool, "arguments": args})
	return d.export(), p, nil
}

// SaveAndClose closes a document and loses nothing of it: no edit of the server
// comes between the two.
func (e *Editor) SaveAndClose(name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.doc(name)
	if err != nil {
		return err
	}
	if err := e.save(d); err != nil {
		return err
	}
	e.vanish(d)
	return nil
}
