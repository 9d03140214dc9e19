package mcp

import (
	"context"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// progressEvery is how often a client hears of a long call, at most, and how
// long a call takes that it hears of at all.
const progressEvery = 200 * time.Millisecond

// throttled passes on what is told of a call that takes long, as long as it
// grows. It is used by one goroutine at a time.
func throttled(tell func(message string, done, total int)) func(message string, done, total int) {
	last, most := time.Now(), 0
	return func(message string, done, total int) {
		now := time.Now()
		if done <= most || now.Sub(last) < progressEvery {
			return
		}
		last, most = now, done
		tell(message, done, total)
	}
}

// progress returns what tells the client how far a call is; nil when it gave
// no token.
func (c *connection) progress(ctx context.Context, token wire.RawValue) func(message string, done, total int) {
	if k := token.Kind(); k != '"' && k != '0' {
		return nil
	}
	return throttled(func(message string, done, total int) {
		if ctx.Err() != nil {
			return
		}
		_ = c.out.write(func(dst []byte) []byte { // nobody waits for it
			dst = append(dst, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`...)
			dst = append(append(dst, token...), `,"progress":`...)
			dst = strconv.AppendInt(dst, int64(done), 10)
			if total > 0 {
				dst = strconv.AppendInt(append(dst, `,"total":`...), int64(total), 10)
			}
			dst = wire.AppendString(append(dst, `,"message":`...), message)
			return append(dst, "}}"...)
		})
	})
}

// progressOf is progress for a call that the SDK took.
func progressOf(ctx context.Context, r *mcp.CallToolRequest) func(message string, done, total int) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return throttled(func(message string, done, total int) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ // nobody waits for it
			ProgressToken: token, Message: message, Progress: float64(done), Total: float64(total),
		})
	})
}
