package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/output"
)

// A suite is the tests of one package, built with all mutants in.
type suite struct {
	pkg, dir, binary string
	limit            time.Duration // of one run
	reached          map[int]bool  // numbers of the mutants that a run comes upon
}

// build writes the rewritten package and the switch to the folder work, and
// builds there the tests of each package that depends on it.
func (p *source) build(ctx context.Context, mutants []numbered, pkgs []string, work string) ([]*suite, error) {
	overlay, err := p.overlay(mutants, work)
	if err != nil {
		return nil, err
	}
	var suites []*suite
	for i, pkg := range pkgs {
		deps, err := goCommand(ctx, "list", "-test", "-deps", pkg)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(strings.Fields(string(deps)), p.ImportPath) {
			continue
		}
		dir, err := goCommand(ctx, "list", "-f", "{{.Dir}}", pkg)
		if err != nil {
			return nil, err
		}
		s := &suite{pkg: pkg, dir: strings.TrimSpace(string(dir)), binary: filepath.Join(work, strconv.Itoa(i)+".test")}
		if _, err := goCommand(ctx, "test", "-c", "-vet=off", "-overlay", overlay, "-o", s.binary, pkg); err != nil {
			return nil, err
		}
		suites = append(suites, s)
	}
	return suites, nil
}

// overlay returns the name of the file that tells the compiler which files to
// take instead of the package's.
func (p *source) overlay(mutants []numbered, work string) (string, error) {
	texts := p.rewritten(mutants)
	texts[filepath.Join(p.Dir, "mutant_switch.go")] = switchFor(p.Name)
	replace := map[string]string{}
	for name, text := range texts {
		replace[name] = filepath.Join(work, filepath.Base(name))
		if err := os.WriteFile(replace[name], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	said, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(work, "overlay.json")
	return name, os.WriteFile(name, said, 0o600)
}

// try runs the tests with no mutant on, and keeps which mutants they reach and
// how long they may take from now on: five times as long, and at least patience.
func (s *suite) try(ctx context.Context, work string, patience time.Duration) error {
	notes := s.binary + ".reached"
	if err := os.WriteFile(notes, nil, 0o600); err != nil {
		return err
	}
	s.limit = 20 * time.Minute
	start := time.Now()
	ended, err := s.run(ctx, work, 0, reachedVariable+"="+notes)
	if err != nil {
		return err
	}
	if ended.failed {
		return fmt.Errorf("the tests of %s fail without a change:\n%s", s.pkg, ended.said)
	}
	s.limit = max(5*time.Since(start), patience)
	numbers, err := os.ReadFile(notes)
	if err != nil {
		return err
	}
	s.reached = map[int]bool{}
	for number := range strings.FieldsSeq(string(numbers)) {
		id, err := strconv.Atoi(number)
		if err != nil {
			return err
		}
		s.reached[id] = true
	}
	return nil
}

type ending struct {
	failed bool
	by     string // the test that failed
	said   []byte
}

// memory is how much a run may map, in KB: a mutant may well allocate without
// an end.
const memory = 8 << 20

// run runs the tests with the mutant that has number id on. They get a folder
// for temporary files of their own, below work.
func (s *suite) run(ctx context.Context, work string, id int, env ...string) (ending, error) {
	tmp, err := os.MkdirTemp(work, "")
	if err != nil {
		return ending{}, err
	}
	defer func() {
		// What tests were stopped at may be folders that cannot be entered.
		_ = filepath.WalkDir(tmp, func(name string, d os.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				_ = os.Chmod(name, 0o700)
			}
			return nil
		})
		_ = os.RemoveAll(tmp)
	}()
	var said bytes.Buffer
	command := output.Command{
		Args: append(output.Shell(fmt.Sprintf(`ulimit -v %d 2>/dev/null; exec "$0" "$@"`, memory)),
			s.binary, "-test.short", "-test.failfast", "-test.paniconexit0"),
		Dir: s.dir, Env: append(os.Environ(), append(env, "TMPDIR="+tmp, chosenVariable+"="+strconv.Itoa(id))...),
		Timeout: s.limit,
	}
	ended, err := output.Run(ctx, command, &output.Recording{Stdout: &said, Stderr: &said})
	switch {
	case err != nil:
		return ending{}, err
	case ended.TimedOut:
		return ending{failed: true, by: "its time limit", said: said.Bytes()}, nil
	case ended.ExitCode == 0:
		return ending{}, nil
	}
	return ending{failed: true, by: failing(said.Bytes()), said: said.Bytes()}, nil
}

// failing returns the first test that an output says failed.
func failing(said []byte) string {
	first := regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)|^panic: .*|^fatal error: .*`).FindSubmatch(said)
	if first == nil {
		return "its end"
	}
	if len(first[1]) > 0 {
		return string(first[1])
	}
	return string(first[0])
}
