package tokens

import (
	"fmt"
)

// codex is Codex's shell, whose form of answer is modelled, and its
// apply_patch, which is run.
type codex struct{ shell }

const codexBytes = 40_000 // about 10,000 tokens, cut in the middle

func (c *codex) stop() {}

func (c *codex) call(made call) (string, error) {
	var out string
	var code int
	var err error
	if made.name == "apply_patch" {
		out, code, err = c.run(c.program("apply_patch"), made.arguments)
	} else {
		out, code, err = c.bash(made.arguments)
	}
	if len(out) > codexBytes {
		out = fmt.Sprintf("%s…%d tokens truncated…%s", out[:codexBytes/2], (len(out)-codexBytes)/4, out[len(out)-codexBytes/2:])
	}
	return fmt.Sprintf("Exit code: %d\nWall time: 0.1 seconds\nOutput:\n%s", code, out), err
}
