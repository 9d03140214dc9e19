package toolcall

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

const (
	// maxVerdicts is of how many edits it is remembered what was wrong before.
	maxVerdicts = 64
	// maxVerdictDiagnostics is how many diagnostics are remembered of one.
	maxVerdictDiagnostics = 5000
	// quietPatience is how long the editor has to tell what it was told already: no
	// edit waits longer for that.
	quietPatience = 300 * time.Millisecond
	// verdictAnswers is in how many answers after an edit it is looked for what
	// language servers say of it.
	verdictAnswers = 10
)

// Verdicts remembers what was wrong before edits, so that what they broke and mended
// can be told. It may be used from any goroutine; nil remembers nothing.
type Verdicts struct {
	mu   sync.Mutex
	list []*Verdict // the latest last
}

// Verdict is what was wrong before one edit.
type Verdict struct {
	id     string
	client Client
	before []Diagnostic
	texts  map[string]text.Text // of the open documents, by key
	told   map[diagnosisKey]bool
	left   int // in how many answers it is still looked
}

// Diagnosis is a diagnostic that an edit made or mended.
type Diagnosis struct {
	Path     string `json:"path"`
	Line     int    `json:"line" jsonschema:"1-based; of a mended one as of before the edit."`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Source   string `json:"source,omitempty"`
}

// Delta is what an edit made wrong, and mended, as far as language servers said.
type Delta struct {
	State Freshness   `json:"state" jsonschema:"settled: this is all; pending: servers are not done; unknown: some do not say"`
	New   []Diagnosis `json:"new,omitempty"`
	Gone  []Diagnosis `json:"gone,omitempty"`
}

// BeforeEdit notes what is wrong now. It asks no language server. The result is nil
// where nothing is to be told, or nobody knows.
func BeforeEdit(ctx context.Context, e *Env) *Verdict {
	if e.Verdicts == nil || e.Editor == nil || !e.Snapshot.Gate.Settings().Edits.Diagnostics {
		return nil
	}
	quick, cancel := context.WithTimeout(ctx, quietPatience)
	defer cancel()
	said, err := e.Editor.Diagnostics(quick, nil, 0)
	if err != nil {
		return nil
	}
	v := &Verdict{client: e.Client, texts: make(map[string]text.Text), told: make(map[diagnosisKey]bool), left: verdictAnswers}
	v.before = grave(said.List)
	for _, d := range e.Snapshot.Overlay.Documents() {
		v.texts[d.Key()] = d.Text
	}
	return v
}

// grave returns the errors and warnings.
func grave(list []Diagnostic) []Diagnostic {
	kept := slices.DeleteFunc(slices.Clone(list), func(d Diagnostic) bool { return d.Severity > SeverityWarning })
	return kept[:min(len(kept), maxVerdictDiagnostics)]
}

// Keep remembers a verdict by the id of its edit, and returns what is known by now;
// nil when that is nothing.
func (v *Verdicts) Keep(ctx context.Context, e *Env, one *Verdict, id string) *Delta {
	if v == nil || one == nil || id == "" {
		return nil
	}
	one.id = id
	v.mu.Lock()
	v.list = append(v.list, one)
	if len(v.list) > maxVerdicts {
		v.list = slices.Delete(v.list, 0, 1)
	}
	v.mu.Unlock()
	d := v.news(ctx, e, one)
	if d == nil || len(d.New)+len(d.Gone) == 0 {
		return nil
	}
	return d
}

// Later returns what became known of the client's edits since they were answered; nil
// when nothing did. No language server is asked.
func (v *Verdicts) Later(ctx context.Context, e *Env) (ids []string, all *Delta) {
	if v == nil || e.Editor == nil {
		return nil, nil
	}
	v.mu.Lock()
	var open []*Verdict
	for _, one := range v.list {
		if one.client == e.Client && one.left > 0 {
			one.left--
			open = append(open, one)
		}
	}
	v.mu.Unlock()
	if len(open) == 0 {
		return nil, nil
	}
	// The oldest one has what was wrong before all of them.
	d := v.news(ctx, e, open[0])
	if d == nil || len(d.New)+len(d.Gone) == 0 {
		return nil, nil
	}
	for _, one := range open {
		ids = append(ids, one.id)
	}
	return ids, d
}

// news returns what a verdict has to tell that was not told.
func (v *Verdicts) news(ctx context.Context, e *Env, one *Verdict) *Delta {
	quick, cancel := context.WithTimeout(ctx, quietPatience)
	defer cancel()
	d, err := one.delta(quick, e, 0)
	if err != nil || d.State == Pending {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	untold := func(list []Diagnosis, gone bool) (kept []Diagnosis) {
		for _, x := range list {
			k := diagnosisKey{x.Path, x.Message, x.Source, x.Line, gone}
			if !one.told[k] {
				one.told[k] = true
				kept = append(kept, x)
			}
		}
		return kept
	}
	d.New, d.Gone = untold(d.New, false), untold(d.Gone, true)
	if d.State == Current {
		one.left = 0
	}
	return d
}

type diagnosisKey struct {
	path, message, source string
	line                  int
	gone                  bool
}

// Since returns what became new and what is gone since an edit; ok is false where the
// edit is not remembered. Language servers have so long to get done.
func (v *Verdicts) Since(ctx context.Context, e *Env, id string, wait time.Duration) (d *Delta, ok bool, err error) {
	if v == nil {
		return nil, false, nil
	}
	v.mu.Lock()
	i := slices.IndexFunc(v.list, func(one *Verdict) bool { return one.id == id })
	var one *Verdict
	if i >= 0 {
		one = v.list[i]
	}
	v.mu.Unlock()
	if one == nil {
		return nil, false, nil
	}
	d, err = one.delta(ctx, e, wait)
	return d, true, err
}

// delta compares what is wrong now with what was before, whose lines are moved
// through the changes of their texts.
func (one *Verdict) delta(ctx context.Context, e *Env, wait time.Duration) (*Delta, error) {
	said, err := e.Editor.Diagnostics(ctx, nil, wait)
	if err != nil {
		return nil, err
	}
	now := e.Now()
	defer now.Close()
	d := &Delta{State: said.State}
	after := grave(said.List)
	matched := make([]bool, len(after))
	for _, b := range one.before {
		from, to := one.moved(now, b)
		i := -1
		for j, a := range after {
			same := !matched[j] && a.Path.Key() == b.Path.Key() && a.Severity == b.Severity && a.Message == b.Message && a.Source == b.Source && a.Code == b.Code
			if same && from <= a.Line && a.Line <= to {
				i = j
				break
			}
		}
		if i >= 0 {
			matched[i] = true
		} else {
			d.Gone = appendDiagnosis(d.Gone, now, b)
		}
	}
	for j, a := range after {
		if !matched[j] {
			d.New = appendDiagnosis(d.New, now, a)
		}
	}
	return d, nil
}

// moved returns the lines on which a diagnostic of before may stand now, inclusive.
func (one *Verdict) moved(now *buffers.Snapshot, b Diagnostic) (from, to int) {
	old, known := one.texts[b.Path.Key()]
	doc := now.Overlay.Get(b.Path.Key())
	if !known || doc == nil {
		return b.Line, b.Line
	}
	at, shift := old.LineStart(b.Line), 0
	end := old.LineStart(b.Line + 1)
	for _, c := range doc.Text.ChangesSince(old) {
		if c.Old.Start >= end {
			break
		}
		if c.Old.End > at || c.Old.End == at && c.Old.Len() == 0 && c.Old.Start == at {
			return doc.Text.LineAt(min(at+shift, c.New.Start)), doc.Text.LineAt(c.New.End)
		}
		shift = c.New.End - c.Old.End
	}
	line := doc.Text.LineAt(at + shift)
	return line, line
}

// appendDiagnosis adds a diagnostic, where an answer may name its file.
func appendDiagnosis(list []Diagnosis, s *buffers.Snapshot, d Diagnostic) []Diagnosis {
	p := d.Path
	if here, err := s.Gate.FromURI(p.URI); err == nil {
		p = here
	}
	if p.Outside() && s.Overlay.Get(p.Key()) == nil || s.Gate.CheckRead(p) != nil {
		return list
	}
	return append(list, Diagnosis{Path: p.Rel, Line: d.Line + 1, Severity: d.Severity.String(), Message: d.Message, Source: d.Source})
}
