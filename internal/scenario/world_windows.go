package scenario

import "errors"

func makeFIFO(string) error { return errors.New("there are no FIFOs on Windows") }

// shareFolder does nothing: a link takes rights that not everybody has, and
// compiling costs a run some seconds.
func shareFolder(string, string) error { return nil }
