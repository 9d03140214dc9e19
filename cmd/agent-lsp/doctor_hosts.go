package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/output"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/setup"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// hosts tells of the assistants whose files have our entry: what they start,
// and what they may call without asking. With ask each one's own program is asked,
// too. What is not set up is not told of.
func (d *doctor) hosts(root string, ask bool) {
	places, err := hostPlaces()
	if err != nil {
		return
	}
	places.Project, places.Root = filepath.ToSlash(root), workingTree(root)
	var asked []setup.Host
	for _, h := range setup.Hosts() {
		user, project := d.host(h, places, false), d.host(h, places, true)
		d.hooks(h, places, user || project)
		if ask && (user || project) && len(h.Probe) > 0 {
			asked = append(asked, h)
		}
	}
	d.probe(root, asked)
}

// host tells of one of a host's files, and reports whether it has our entry.
func (d *doctor) host(h setup.Host, places setup.Places, project bool) bool {
	name := existing(h.Files(places, project))
	src, err := readHostFile(name, places)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return false
	case err != nil:
		d.complain("hosts", fault.From(err).At(name))
		return false
	}
	words, there, err := h.Entry(src)
	switch {
	case err != nil && bytes.Contains(src, []byte(setup.Name)):
		d.complain("hosts", fault.From(err).At(name))
		return false
	case err != nil || !there:
		return false
	}
	line := strings.Join(words, " ")
	if len(words) == 0 {
		d.tell("hosts", "%s: an entry %q that starts no program, in %s", h.Title, setup.Name, name)
		return true
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		d.complain("hosts", fault.New(fault.NotFound, "%s is to start %s, which is not found", h.Title, line).At(name).
			Advise("agent-lsp setup %s --remove --command %s, then --write.", h.Name, shellQuoted(words[0])))
		return true
	}
	d.tell("hosts", "%s starts %s%s, by %s", h.Title, line, leave(h, places, project), name)
	return true
}

// leave tells what a host may call without asking in the project: what a person's own
// permissions or the project's give, where they hold side by side.
func leave(h setup.Host, places setup.Places, project bool) string {
	scopes := []bool{project}
	if h.Merges() {
		scopes = []bool{false, true}
	}
	may := ""
	for _, scope := range scopes {
		switch given(h, places, scope) {
		case setup.AllowAll:
			return " and may read and change files unasked"
		case setup.AllowRead:
			may = " and may read unasked"
		}
	}
	return may
}

// given returns the widest level whose lines are all in a host's files.
func given(h setup.Host, places setup.Places, project bool) setup.Level {
	for _, level := range h.Levels(project) {
		o := order(setup.Server{}, project, level)
		o.KeepMore = true
		if _, missing, err := planFiles(h, places, h.PermitSteps(places, o)); err == nil && len(missing) == 0 {
			return level
		}
	}
	return setup.AllowNone
}

// hooks tells where a host's hooks are installed, and for a host that has our entry
// also that they are not.
func (d *doctor) hooks(h setup.Host, places setup.Places, entry bool) {
	if !h.Hooks() {
		return
	}
	var in []string
	for _, project := range []bool{false, true} {
		if file := hooksIn(h, places, project); file != "" {
			in = append(in, file)
		}
	}
	switch {
	case len(in) > 1:
		d.complain("hooks", errHooksTwice(h, in[0], false))
	case len(in) > 0:
		d.tell("hooks", "%s: installed, in %s", h.Title, strings.Join(in, " and "))
	case entry:
		d.tell("hooks", "%s: not installed; agent-lsp setup %s --write --hooks does that", h.Title, h.Name)
	}
}

// hooksIn returns the file that has a host's hooks for all projects, or for one; ""
// where none has.
func hooksIn(h setup.Host, places setup.Places, project bool) string {
	_, files, err := planFiles(h, places, h.RemoveHooks(places, order(setup.Server{}, project, setup.AllowNone)))
	if err != nil || len(files) == 0 {
		return ""
	}
	return files[0].name
}

// errHooksTwice is that hooks are, or would be, in two files of a host.
func errHooksTwice(h setup.Host, in string, project bool) error {
	line := "agent-lsp setup " + h.Name + " --remove --hooks"
	if project {
		line += " --project"
	}
	return fault.New(fault.AlreadyExists, "%s has the hooks for this project, and a host that has them in two files may make each edit twice", in).
		Advise("%s takes them out there.", line)
}

// readHostFile returns a file of a host.
func readHostFile(name string, places setup.Places) ([]byte, error) {
	f, err := locateFile(name)
	if err != nil {
		return nil, err
	}
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Path: rootOf(f.path, places)}}, settings.Default())
	if len(problems) > 0 {
		return nil, problems[0]
	}
	p, err := gate.Resolve(f.path, nil)
	if err != nil {
		return nil, err
	}
	return readWhole(gate, p.Consented())
}

// Limits of asking hosts.
const (
	probeTime  = 30 * time.Second // for one
	probesDone = 2                // at a time
	probeText  = 64 << 10         // bytes of an answer that are looked at
)

// probe asks hosts by commands of their own, and tells what they answer.
func (d *doctor) probe(root string, hosts []setup.Host) {
	answers := make([]func(), len(hosts))
	_ = parallel.ForEach(context.Background(), probesDone, len(hosts), func(ctx context.Context, i int) error {
		answers[i] = d.ask(ctx, root, hosts[i], probeTime)
		return nil
	})
	for _, tell := range answers {
		if tell != nil {
			tell()
		}
	}
}

// ask asks one host, for at most limit, and returns what tells of the answer;
// nil when it is not installed.
func (d *doctor) ask(ctx context.Context, root string, h setup.Host, limit time.Duration) (tell func()) {
	program, err := exec.LookPath(h.Probe[0])
	if err != nil {
		return nil
	}
	var out, also head
	began, line := time.Now(), strings.Join(h.Probe, " ")
	ended, err := output.Run(ctx, output.Command{
		Args: append([]string{program}, h.Probe[1:]...), Dir: root, Env: append(os.Environ(), "NO_COLOR=1"), Timeout: limit,
	}, &output.Recording{Stdout: &out, Stderr: &also})
	took := time.Since(began)
	said, good := answer(out.text.String() + "\n" + also.text.String())
	return func() {
		switch {
		case err != nil:
			d.complain("hosts", err)
		case ended.TimedOut:
			d.complain("hosts", fault.New(fault.Timeout, "%s has not answered within %s", line, limit).Advise("Run it by hand."))
		case ended.ExitCode != 0 || said == "":
			d.complain("hosts", fault.New(fault.NotFound, "%s does not tell of %s; exit code %d", line, setup.Name, ended.ExitCode).Advise("Run it by hand."))
		case !good:
			d.complain("hosts", fault.New(fault.PermissionDenied, "%s: %s", line, said).Advise("%s", h.Next(true)))
		default:
			d.tell("hosts", "%s: %s (%.1f s)", line, said, took.Seconds())
		}
	}
}

// head keeps the beginning of what is written to it.
type head struct{ text bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	h.text.Write(p[:min(len(p), max(0, probeText-h.text.Len()))])
	return len(p), nil
}

// What hosts write around their answers, and how they say that a server is
// not there for a model.
var (
	colour   = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]")
	statuses = regexp.MustCompile(`(?i)connected|status:|enabled:|disabled|pending|failed`)
	bad      = regexp.MustCompile(`(?i)disconnected|not connected|disabled|pending|failed|error|enabled: false|✗`)
)

// answer finds the line of a host's answer that tells of our server; "" when
// none does. good reports whether it says that the server is there.
func answer(text string) (line string, good bool) {
	text = colour.ReplaceAllString(text, "")
	at := strings.Index(text, setup.Name)
	if at < 0 {
		return "", false
	}
	for l := range strings.Lines(text[at:]) {
		l = strings.Join(strings.Fields(l), " ")
		if line == "" || statuses.MatchString(l) {
			line = l
		}
		if statuses.MatchString(l) {
			break
		}
	}
	return line, !bad.MatchString(line)
}
