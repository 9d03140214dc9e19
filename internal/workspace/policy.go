package workspace

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// policy is the compiled form of a gate's rules.
type policy struct {
	private   *ruleSet
	excluded  *ruleSet
	never     *ruleSet
	protected *ruleSet
	readOnly  bool
	confirm   Confirm
}

// newPolicy compiles what s says. Patterns that are no globs are left out and
// reported.
func newPolicy(s Settings) (*policy, []error) {
	p := &policy{
		private: newRuleSet(), excluded: newRuleSet(), never: newRuleSet(), protected: newRuleSet(),
		readOnly: s.Policy.ReadOnly,
		confirm:  s.Edits.Confirm,
	}
	bad := p.private.addAll(s.Policy.Private)
	bad = append(bad, p.excluded.addAll(s.Policy.Excluded)...)
	p.never.addBuiltIn(neverWritten, "")
	for _, group := range ProtectedGroups() {
		p.protected.addBuiltIn(group.Patterns, group.Why)
	}
	return p, bad
}

// place is a path as rules see it: folded, relative to its folder with
// slashes, or absolute without the leading slash when it is in none.
type place struct {
	path string

	root *root  // the folder; nil for none
	rel  string // the path below it as it is, in system form; absolute in none
}

// placeAt gives the place of a path below r, in system form. The folder itself
// has no name below it: a rule over ".*" does not take it.
func (r *root) placeAt(rel string) place {
	if r.of != nil {
		return r.of.placeAt(filepath.Join(filepath.FromSlash(r.at), rel))
	}
	at := place{root: r, rel: rel}
	if rel != "." {
		at.path = foldPath(filepath.ToSlash(rel))
	}
	return at
}

// listed returns the place of a folder below r, whose path rules see as folded.
func (r *root) listed(folded string) place {
	if r.of != nil {
		r = r.of
	}
	return place{path: folded, root: r}
}

// folds returns a slash path below r, "" for r itself, as rules see it.
func (r *root) folds(rel string) string { return foldPath(path.Join(r.at, rel)) }

func placeOutside(abs string) place {
	return place{path: foldAbsolute(abs), rel: abs}
}

// hidden returns the setting that keeps a place from being read or listed.
// [Gate.hidden] knows the ignore files too.
func (p *policy) hidden(at place) (rule string, ok bool) {
	if r := p.private.matchPlace(at); r != nil {
		return "policy.private: " + r.pattern, true
	}
	if r := p.excluded.match("", at.path); r != nil {
		return "policy.excluded: " + r.pattern, true
	}
	return "", false
}

// unwritable returns the rule that keeps a place from ever being written.
func (p *policy) unwritable(at place) (rule string, ok bool) {
	if r := p.never.matchPlace(at); r != nil {
		return "never written: " + r.pattern, true
	}
	return "", false
}

// guarded returns the rule by which changing a place needs consent, and why.
func (p *policy) guarded(at place) (rule, why string, ok bool) {
	if r := p.protected.matchPlace(at); r != nil {
		return "protected: " + r.pattern, r.why, true
	}
	return "", "", false
}

// RuleConfirmAlways is the detail "rule" where nothing but the setting asks for
// consent.
const RuleConfirmAlways = `edits.confirm: "always"`

// denied is the error for a place that a rule takes out of reach.
func denied(p Path, rule string) *fault.Error {
	change := "open it, or change the rule in their own settings"
	if strings.HasPrefix(rule, ruleOfAgents) {
		change = "change that file"
	}
	return fault.New(fault.PermissionDenied, "the rule %s keeps it from agents", rule).At(p.Rel).
		Advise("do not look for another way to it; the person can %s", change).
		With("rule", rule)
}

// needsConsent is the error for a change that a person has to agree to. The
// detail "real" is where links lead from p, the last of places, as far as that
// is in a workspace folder: it is what they agree to. It is told, too, where a
// caller names the place otherwise than the person does.
func needsConsent(p Path, places []place, rule, why string) *fault.Error {
	e := fault.New(fault.PermissionDenied, "changing it needs the person's consent: %s (%s)", why, rule).At(p.Rel).
		Advise("let the person make the change").
		With("rule", rule).With("needs_consent", true)
	if len(places) == 0 {
		return e // an untitled document stands nowhere
	}
	if at := places[len(places)-1]; at.root != nil {
		if real := filepath.Join(at.root.Path, at.rel); real != p.Abs || at.root.show(at.rel) != p.Rel {
			e = e.With("real", real)
		}
	}
	return e
}

// CheckRead tells whether policy lets p be read, by its path as written and
// by its real path, without opening anything. It says nothing about whether p
// exists or lies in the workspace. Untitled documents can be read.
// The error is permission_denied and names the rule.
func (g *Gate) CheckRead(p Path) error {
	for _, at := range g.placesOf(p) {
		if rule, ok := g.hidden(at); ok {
			return denied(p, rule)
		}
	}
	return nil
}

// CheckWrite tells whether policy lets p be created, changed, moved or
// deleted, by its path as written and by its real path, whether it exists or
// not.
//
// Errors: read_only (policy.readOnly, or a place that is for reading only);
// permission_denied, naming the rule in the detail "rule". What a person's
// consent can lift has the detail "needs_consent" set to true: protected
// files, documents outside the workspace, and every file when edits.confirm
// is "always". Once the person agreed, use [Path.Consented].
func (g *Gate) CheckWrite(p Path) error {
	return g.checkWrite(p, g.placesOf(p))
}

func (g *Gate) checkWrite(p Path, places []place) error {
	if err := g.refuseWrite(p, places); err != nil {
		return err
	}
	return g.refuseUnasked(p, places)
}

// refuseWrite is what no consent lifts.
func (g *Gate) refuseWrite(p Path, places []place) error {
	if g.policy.readOnly {
		return fault.New(fault.ReadOnly, "the setting policy.readOnly forbids every change").At(p.Rel).
			Advise("tell the person; only their own settings lift it")
	}
	if r, _, ok := g.locateReadable(p.Abs); ok && r.readOnly {
		return readOnlyPlace(p, r)
	}
	for _, at := range places {
		if rule, ok := g.hidden(at); ok {
			return denied(p, rule)
		}
		if p.aside {
			at.path = path.Dir(at.path)
		}
		if rule, ok := g.policy.unwritable(at); ok {
			return neverWrites(p, rule)
		}
	}
	if own, ok := g.ownAt(places); ok {
		return neverWrites(p, "agent-lsp's own: "+own)
	}
	return nil
}

func neverWrites(p Path, rule string) error {
	return fault.New(fault.PermissionDenied, "nothing here writes it (%s)", rule).At(p.Rel).
		Advise("the person can change it themselves").With("rule", rule)
}

func readOnlyPlace(p Path, r *root) error {
	if strings.HasPrefix(p.Rel, OutputsPrefix) {
		return fault.New(fault.ReadOnly, "kept output is only read").At(p.Rel).
			Advise("change a file of the workspace instead")
	}
	return fault.New(fault.ReadOnly, "%s may only be read (policy.readOnlyRoots)", r.Path).At(p.Rel).
		Advise("change a file of the workspace instead")
}

// refuseUnasked is what needs consent, or is refused where edits.confirm
// says that nobody is asked.
func (g *Gate) refuseUnasked(p Path, places []place) error {
	rule, why, ok := g.guardOf(places)
	switch {
	case ok && g.policy.confirm == ConfirmNever:
		return denied(p, rule+`, and edits.confirm is "never"`)
	case p.consented:
		return nil
	case ok:
		return needsConsent(p, places, rule, why)
	case g.policy.confirm == ConfirmAlways:
		return needsConsent(p, places, RuleConfirmAlways, "every change is shown first")
	}
	return nil
}

// guardOf returns the rule by which changing what stands at places needs
// consent.
func (g *Gate) guardOf(places []place) (rule, why string, ok bool) {
	for _, at := range places {
		if rule, why, ok := g.policy.guarded(at); ok {
			return rule, why, true
		}
	}
	for _, at := range places {
		if at.root == nil {
			return "outside the workspace", "the document, or what its name links to, is in no workspace folder", true
		}
	}
	return "", "", false
}

// placesOf returns where p is written to be and, if links lead elsewhere,
// where it really is or would be. Untitled documents are nowhere.
func (g *Gate) placesOf(p Path) []place {
	if p.Untitled() {
		return nil
	}
	r, rel, ok := g.locateReadable(p.Abs)
	if ok && r == g.outputs {
		return nil
	}
	if !ok {
		return g.realPlace([]place{g.placeElsewhere(p.Abs, givenPath)}, p.Abs)
	}
	written := []place{r.placeAt(rel)}
	if o := r.dir.now.Load(); o != nil && o.hasNoLinks(rel) {
		return written
	}
	return g.realPlace(written, p.Abs)
}

func (g *Gate) realPlace(places []place, abs string) []place {
	real, err := followLinks(abs)
	if err != nil || real.path == abs {
		return places
	}
	return append(places, g.placeOfReal(real.path))
}

// placeOfReal gives the place of a path without links.
func (g *Gate) placeOfReal(real string) place {
	if r, rel, ok := g.locateReal(real); ok {
		return r.placeAt(rel)
	}
	return g.placeElsewhere(real, realPath)
}

// placeElsewhere gives the place of a path in none of the gate's folders: a
// document may be open in a folder that a narrowed gate leaves out, whose rules
// hold there all the same.
func (g *Gate) placeElsewhere(abs string, dirOf func(*root) string) place {
	if r, rel := innermost(g.whole, abs, dirOf); r != nil {
		return r.placeAt(rel)
	}
	return placeOutside(abs)
}
