package tools

// begin starts a transaction on disk.
func (e *Env) begin() transaction { panic("waits for workspace.Transaction") }
