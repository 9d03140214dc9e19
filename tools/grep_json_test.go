package tools

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// TestGrepOutputIsWrittenAsTheCodecWould fills outputs at random, so that a
// member that is added later and forgotten in toolcall.AppendJSON is noticed.
func TestGrepOutputIsWrittenAsTheCodecWould(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var out grepOutput
		fillRandomly(r, reflect.ValueOf(&out).Elem())
		if out.Files == nil {
			out.Files = []grepFile{}
		}
		want, err := wire.Marshal(&out)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := out.AppendJSON(nil); err != nil || string(got) != string(want) {
			t.Fatalf("written as\n%s, want\n%s", got, want)
		}
	}
}

func fillRandomly(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range v.Fields() {
			if f.CanSet() || f.Kind() == reflect.Struct {
				fillRandomly(r, f)
			}
		}
	case reflect.Slice:
		if n := r.IntN(3); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fillRandomly(r, v.Index(i))
			}
		}
	case reflect.Pointer:
		if r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fillRandomly(r, v.Elem())
		}
	case reflect.String:
		v.SetString(strings.Repeat([]string{"a", "\"é\n", "\\"}[r.IntN(3)], r.IntN(3)))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int:
		v.SetInt(int64(r.IntN(3)))
	default:
		panic(v.Kind())
	}
}
