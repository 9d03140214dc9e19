package reinterpret

import "testing"

func TestSharesMemory(t *testing.T) {
	b := []byte("text")
	s := String(b)
	if s != "text" || Start(s) != &b[0] || string(Bytes(s)) != s || &Bytes(s)[0] != &b[0] {
		t.Errorf("%q", s)
	}
	if String(nil) != "" || len(Bytes("")) != 0 {
		t.Error("nothing became something")
	}
}
