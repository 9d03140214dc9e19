package scenario

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// expect checks something at once, whatever the want sections say, so that
// the point of a scenario survives a careless -update.
//
//	expect ok                    the last answer was no error
//	expect error KIND            it was an error of this kind
//	expect PATH VALUE            it has this member (files.0.action modified)
//	expect PATH absent           it has no such member, or it is false
//	expect PATH contains TEXT
//	expect buffer FILE TEXT      what the editor shows
//	expect modified FILE yes|no  whether the editor shows it as unsaved
//	expect disk FILE TEXT        what the file holds
//	expect mode FILE 755         its permission bits
//	expect received METHOD N     how many of these the server has sent
//	expect same A B              two words are equal
func (r *runner) expect(a args) error {
	if err := a.need(1, 3); err != nil {
		return err
	}
	problem, err := r.problem(a)
	if err != nil {
		return err
	}
	if problem != "" {
		r.t.Errorf("%s:%d: expect %q: %s", r.archive.path, r.command.line, []string(a), problem)
	}
	return nil
}

func (r *runner) problem(a args) (string, error) {
	switch a[0] {
	case "ok":
		if r.lastErr {
			return "the last answer is an error", nil
		}
		return "", nil
	case "error":
		return r.errorProblem(a.or(1, ""))
	case "received":
		if err := a.need(3, 3); err != nil {
			return "", err
		}
		return differs(strconv.Itoa(r.editor().Received(a[1])), a[2]), nil
	case "same":
		return differs(a.or(1, ""), a.or(2, "")), nil
	case "buffer", "modified", "disk", "mode":
		if err := a.need(3, 3); err != nil {
			return "", err
		}
		return r.stateProblem(a)
	}
	return r.memberProblem(a)
}

func (r *runner) errorProblem(kind string) (string, error) {
	if !r.lastErr {
		return "the last answer is no error", nil
	}
	have, err := lookIn(r.last, "error.kind")
	if err != nil {
		return err.Error(), nil
	}
	return differs(fmt.Sprint(have), kind), nil
}

func (r *runner) stateProblem(a args) (string, error) {
	if a[0] == "disk" {
		raw, err := os.ReadFile(r.world.path(a[1]))
		return differs(string(raw), a[2]), err
	}
	if a[0] == "mode" {
		info, err := os.Stat(r.world.path(a[1]))
		if err != nil {
			return "", err
		}
		return differs(fmt.Sprintf("%o", info.Mode().Perm()), a[2]), nil
	}
	d, open := r.document(a[1])
	if !open {
		return "it is not open", nil
	}
	if a[0] == "modified" {
		return differs(strconv.FormatBool(d.Dirty), strconv.FormatBool(a[2] == "yes")), nil
	}
	return differs(d.Text, a[2]), nil
}

func (r *runner) memberProblem(a args) (string, error) {
	have, err := r.member(a[0])
	switch {
	case len(a) == 2 && a[1] == "absent":
		if err == nil && have != "false" {
			return "it is " + have, nil
		}
		return "", nil
	case err != nil:
		return err.Error(), nil
	case len(a) == 3 && a[1] == "contains":
		if !strings.Contains(have, a[2]) {
			return fmt.Sprintf("it is %q", have), nil
		}
		return "", nil
	}
	if err := a.need(2, 2); err != nil {
		return "", err
	}
	return differs(have, a[1]), nil
}

func differs(have, want string) string {
	if have == want {
		return ""
	}
	return fmt.Sprintf("have %q", have)
}
