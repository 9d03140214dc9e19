package workspace

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gitignore"
	"github.com/agent-lsp/agent-lsp/internal/pathmatch"
	"github.com/agent-lsp/agent-lsp/internal/settings"
)

// policy is the compiled form of a gate's rules.
type policy struct {
	private   *pathmatch.RuleSet
	excluded  *pathmatch.RuleSet
	never     *pathmatch.RuleSet
	protected *pathmatch.RuleSet
	readOnly  bool
	confirm   settings.Confirm
}

// newPolicy compiles what s says. Patterns that are no globs are left out and
// reported.
func newPolicy(s settings.Settings) (*policy, []error) {
	p := &policy{
		private: pathmatch.NewRuleSet(), excluded: pathmatch.NewRuleSet(), never: pathmatch.NewRuleSet(), protected: pathmatch.NewRuleSet(),
		readOnly: s.Policy.ReadOnly,
		confirm:  s.Edits.Confirm,
	}
	bad := p.private.AddAll(s.Policy.Private)
	bad = append(bad, p.excluded.AddAll(s.Policy.Excluded)...)
	p.never.AddBuiltIn(pathmatch.NeverWritten, "")
	for _, group := range pathmatch.ProtectedGroups() {
		p.protected.AddBuiltIn(group.Patterns, group.Why)
	}
	return p, bad
}

// Place is a path as rules see it: folded, relative to its folder with
// slashes, or absolute without the leading slash when it is in none.
type Place struct {
	path string

	root *Root  // the folder; nil for none
	rel  string // the path below it as it is, in system form; absolute in none
}

// placeAt gives the place of a path below r, in system form. The folder itself
// has no name below it: a rule over ".*" does not take it.
func (r *Root) placeAt(rel string) Place {
	if r.of != nil {
		return r.of.placeAt(filepath.Join(filepath.FromSlash(r.At), rel))
	}
	at := Place{root: r, rel: rel}
	if rel != "." {
		at.path = fsys.FoldPath(filepath.ToSlash(rel))
	}
	return at
}

// Listed returns the place of a folder below r, whose path rules see as folded.
func (r *Root) Listed(folded string) Place {
	if r.of != nil {
		r = r.of
	}
	return Place{path: folded, root: r}
}

// Folds returns a slash path below r, "" for r itself, as rules see it.
func (r *Root) Folds(rel string) string { return fsys.FoldPath(path.Join(r.At, rel)) }

func placeOutside(abs string) Place {
	return Place{path: foldAbsolute(abs), rel: abs}
}

// hidden returns the setting that keeps a place from being read or listed.
// [Gate.hidden] knows the ignore files too.
func (p *policy) hidden(at Place) (rule string, ok bool) {
	if r := matchPlace(p.private, at); r != nil {
		return "policy.private: " + r.Pattern, true
	}
	if r := p.excluded.Match("", at.path); r != nil {
		return "policy.excluded: " + r.Pattern, true
	}
	return "", false
}

// unwritable returns the rule that keeps a place from ever being written.
func (p *policy) unwritable(at Place) (rule string, ok bool) {
	if r := matchPlace(p.never, at); r != nil {
		return "never written: " + r.Pattern, true
	}
	return "", false
}

// guarded returns the rule by which changing a place needs consent, and why.
func (p *policy) guarded(at Place) (rule, why string, ok bool) {
	if r := matchPlace(p.protected, at); r != nil {
		return "protected: " + r.Pattern, r.Why, true
	}
	return "", "", false
}

// RuleConfirmAlways is the detail "rule" where nothing but the setting asks for
// consent.
const RuleConfirmAlways = `edits.confirm: "always"`

// denied is the error for a place that a rule takes out of reach.
func denied(p Path, rule string) *fault.Error {
	change := "open it, or change the rule in their own settings"
	if strings.HasPrefix(rule, gitignore.AgentRulePrefix) {
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
func needsConsent(p Path, places []Place, rule, why string) *fault.Error {
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

// CheckRead reports whether policy lets p be read, by its path as written and
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

// CheckWrite reports whether policy lets p be created, changed, moved or
// deleted, by its path as written and by its real path, whether it exists or
// not.
//
// Errors: read_only (policy.readOnly, or a place that is for reading only);
// permission_denied, naming the rule in the detail "rule". What a person's
// consent can lift has the detail "needs_consent" set to true: protected
// files, documents outside the workspace, and every file when edits.confirm
// is "always". Once the person agreed, use [Path.Consented].
func (g *Gate) CheckWrite(p Path) error {
	return g.CheckPlaces(p, g.placesOf(p))
}

// CheckPlaces is [Gate.CheckWrite] for the places that p was found to lead to.
func (g *Gate) CheckPlaces(p Path, places []Place) error {
	if err := g.refuseWrite(p, places); err != nil {
		return err
	}
	return g.refuseWithoutConsent(p, places)
}

// refuseWrite is what no consent lifts.
func (g *Gate) refuseWrite(p Path, places []Place) error {
	if g.policy.readOnly {
		return fault.New(fault.ReadOnly, "the setting policy.readOnly forbids every change").At(p.Rel).
			Advise("tell the person; only their own settings lift it")
	}
	if r, _, ok := g.LocateReadable(p.Abs); ok && r.readOnly {
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

func readOnlyPlace(p Path, r *Root) error {
	if strings.HasPrefix(p.Rel, OutputsPrefix) {
		return fault.New(fault.ReadOnly, "kept output is only read").At(p.Rel).
			Advise("change a file of the workspace instead")
	}
	return fault.New(fault.ReadOnly, "%s may only be read (policy.readOnlyRoots)", r.Path).At(p.Rel).
		Advise("change a file of the workspace instead")
}

// refuseWithoutConsent is what needs consent, or is refused where edits.confirm
// says that nobody is asked.
func (g *Gate) refuseWithoutConsent(p Path, places []Place) error {
	rule, why, ok := g.guardOf(places)
	switch {
	case ok && g.policy.confirm == settings.ConfirmNever:
		return denied(p, rule+`, and edits.confirm is "never"`)
	case p.consented:
		return nil
	case ok:
		return needsConsent(p, places, rule, why)
	case g.policy.confirm == settings.ConfirmAlways:
		return needsConsent(p, places, RuleConfirmAlways, "every change is shown first")
	}
	return nil
}

// guardOf returns the rule by which changing what stands at places needs
// consent.
func (g *Gate) guardOf(places []Place) (rule, why string, ok bool) {
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
func (g *Gate) placesOf(p Path) []Place {
	if p.Untitled() {
		return nil
	}
	r, rel, ok := g.LocateReadable(p.Abs)
	if ok && r == g.outputs {
		return nil
	}
	if !ok {
		return g.realPlace([]Place{g.placeElsewhere(p.Abs, givenPath)}, p.Abs)
	}
	written := []Place{r.placeAt(rel)}
	if o := r.Dir.Now(); o != nil && o.HasNoLinks(rel) {
		return written
	}
	return g.realPlace(written, p.Abs)
}

func (g *Gate) realPlace(places []Place, abs string) []Place {
	real, err := fsys.FollowLinks(abs)
	if err != nil || real.Path == abs {
		return places
	}
	return append(places, g.placeOfReal(real.Path))
}

// placeOfReal gives the place of a path without links.
func (g *Gate) placeOfReal(real string) Place {
	if r, rel, ok := g.LocateReal(real); ok {
		return r.placeAt(rel)
	}
	return g.placeElsewhere(real, (*Root).Real)
}

// placeElsewhere gives the place of a path in none of the gate's folders: a
// document may be open in a folder that a narrowed gate leaves out, whose rules
// hold there all the same.
func (g *Gate) placeElsewhere(abs string, dirOf func(*Root) string) Place {
	if r, rel := innermost(g.whole, abs, dirOf); r != nil {
		return r.placeAt(rel)
	}
	return placeOutside(abs)
}

// hiddenTop reports whether a rule takes the whole folder r.
func (p *policy) hiddenTop(r *Root) bool {
	if r.of == nil {
		return p.private.MatchFolder(r.Above) != nil
	}
	_, hidden := p.hidden(r.placeAt("."))
	return hidden
}

// hiddenEntry reports whether a rule keeps one name of a folder from being
// listed, when none takes the folder itself, in; the path of a top is "".
func (p *policy) hiddenEntry(in Place, name string) bool {
	name = fsys.FoldPath(name)
	return p.private.MatchEntry(in.root.Above, in.path, name) || p.excluded.MatchEntry(nil, in.path, name)
}

// matchPlace is match and matchFolder.
func matchPlace(s *pathmatch.RuleSet, at Place) *pathmatch.Rule {
	if at.root == nil {
		return s.Match("", at.path)
	}
	for _, above := range at.root.Above {
		if r := s.Match(above, at.path); r != nil {
			return r
		}
	}
	return s.MatchFolder(at.root.Above)
}
