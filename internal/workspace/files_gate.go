package workspace

// Gate returns the gate through which the files were listed.
func (f *Files) Gate() *Gate { return f.gate }
