package hosttest

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// neovim is a real Neovim with our plugin, without a screen.
type neovim struct {
	stage  *stage
	ctx    context.Context
	run    *process
	socket string
}

// initLua has Neovim show its files to agent-lsp. Questions are answered as the
// person decided beforehand.
const initLua = `vim.opt.runtimepath:prepend([[%s]])
vim.opt.swapfile = false
vim.lsp.enable('agent_lsp')
vim.g.decision = 'reject'
vim.uv.new_timer():start(50, 50, vim.schedule_wrap(function()
  local consent = require('agent_lsp.consent')
  if consent.waiting() and vim.g.decision == 'apply' then
    consent.apply()
  elseif consent.waiting() then
    consent.reject('not this one')
  end
end))
`

func (s *stage) openNeovim(ctx context.Context) (*neovim, error) {
	err := s.files(s.dir, map[string]string{"init.lua": fmt.Sprintf(initLua, s.options.Plugin)})
	if err != nil {
		return nil, err
	}
	n := &neovim{stage: s, ctx: ctx, socket: filepath.Join(s.dir, "run", "nvim.sock")}
	n.run, err = s.start("nvim", nil, s.options.Neovim, "--headless", "-u", filepath.Join(s.dir, "init.lua"), "-i", "NONE", "-n", "--listen", n.socket)
	return n, err
}

// eval evaluates an expression in Neovim.
func (n *neovim) eval(format string, args ...any) (string, error) {
	cmd := exec.CommandContext(n.ctx, n.stage.options.Neovim, "--server", n.socket, "--remote-expr", fmt.Sprintf(format, args...))
	cmd.Env = n.stage.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("neovim: %w: %s", err, out)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// until waits for an expression to be 1.
func (n *neovim) until(expression string) (err error) {
	var said string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if said, err = n.eval("%s", expression); err == nil && said == "1" {
			return nil
		}
	}
	return fmt.Errorf("neovim: %s does not come true: %q, %w", expression, said, err)
}

func (n *neovim) awaitServer() error {
	_, err := n.eval(`luaeval("vim.lsp.get_clients({ name = 'agent_lsp' })[1]:request_sync('agent/tools/list', vim.empty_dict(), 60000) and 1")`)
	return err
}

func (n *neovim) open(file string) error {
	if err := n.until(`v:vim_did_enter`); err != nil {
		return err
	}
	_, err := n.eval(`execute('edit %s')`, file)
	return errors.Join(err, n.until(`len(luaeval("vim.lsp.get_clients({ name = 'agent_lsp' })"))`), n.awaitServer())
}

// in runs a command in the file's window.
func (n *neovim) in(file, command string) error {
	_, err := n.eval(`win_execute(bufwinid(%s), %s)`, quoted(file), quoted(command))
	return errors.Join(err, n.awaitServer())
}

// quoted is a string of Vim's.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (n *neovim) replace(file, old, with string) error {
	escaped := func(s string) string { return strings.NewReplacer(`\`, `\\`, `/`, `\/`).Replace(s) }
	return n.in(file, fmt.Sprintf(`%%s/\V%s/%s/`, escaped(old), escaped(with)))
}

func (n *neovim) undo(file string) error { return n.in(file, "undo") }

func (n *neovim) text(file string) (string, error) {
	text, err := n.eval(`join(getbufline(%s, 1, '$'), nr2char(10))`, quoted(file))
	return text + "\n", err
}

func (n *neovim) unsaved(file string) (bool, error) {
	said, err := n.eval(`getbufvar(%s, '&modified')`, quoted(file))
	is, _ := strconv.ParseBool(said)
	return is, err
}

func (n *neovim) decide(apply bool) {
	decision := "reject"
	if apply {
		decision = "apply"
	}
	_, _ = n.eval(`execute("let g:decision = '%s'")`, decision) // the check that needs it tells
}

func (n *neovim) kill() {
	n.run.signal(syscall.SIGKILL)
	<-n.run.ended
}

func (n *neovim) quit() error {
	_, _ = n.eval(`timer_start(0, {-> execute('qall!')})`) // it may have ended already
	select {
	case <-n.run.ended:
		return nil
	case <-time.After(patience):
		n.kill()
		return errors.New("neovim does not end")
	}
}
