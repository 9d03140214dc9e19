package rpc

import (
	"context"
	"errors"
	"testing"

	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"
)

func TestDecoded(t *testing.T) {
	type in struct {
		N int `json:"n"`
	}
	m := decoded(lspParams, func(_ context.Context, in *in) (any, error) { return in.N, nil })
	for _, tt := range []struct {
		params string
		want   any
		code   jsonrpc.Code
	}{
		{`{"n":3,"other":1}`, 3, 0},
		{``, 0, 0},
		{`{"n":"x"}`, nil, jsonrpc.InvalidParams},
		{`[1]`, nil, jsonrpc.InvalidParams},
	} {
		got, err := m(t.Context(), nil, jsonrpc.RawMessage(tt.params))
		var wire *jsonrpc.Error
		if errors.As(err, &wire); got != tt.want || (wire != nil) != (tt.code != 0) || wire != nil && wire.Code != tt.code {
			t.Errorf("%s: %v, %v", tt.params, got, err)
		}
	}
}
