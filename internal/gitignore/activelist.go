package gitignore

// activeList is an ignore file as it holds in one folder at or below its own.
type activeList struct {
	list *ignoreList
	// paths are the patterns over paths that can still match something at or
	// below the folder.
	paths []activePath
	// ends are those of them that may match an entry of the folder; nil when
	// there are none.
	ends *nameTable
}

type activePath struct {
	*pathPattern
	state []int32
}

// activate returns l as it holds in its own folder.
func (l *ignoreList) activate() activeList {
	a := activeList{list: l}
	for i := range l.paths {
		p := &l.paths[i]
		a.paths = append(a.paths, activePath{p, p.glob.start()})
	}
	a.findEnds()
	return a
}

// below returns the list as it holds in a folder of this one.
func (a activeList) below(name string) activeList {
	next := activeList{list: a.list}
	for _, p := range a.paths {
		if state := p.glob.step(p.state, name); len(state) > 0 {
			next.paths = append(next.paths, activePath{p.pathPattern, state})
		}
	}
	next.findEnds()
	return next
}

func (a *activeList) findEnds() {
	for _, p := range a.paths {
		s := p.glob.last(p.state)
		if s == nil {
			continue
		}
		if a.ends == nil {
			a.ends = new(nameTable)
		}
		a.ends.add(s.name, p.index, a.list.patterns[p.index].dirOnly)
	}
}

// idle reports whether nothing below the folder can ever match.
func (a *activeList) idle() bool {
	return len(a.paths) == 0 && len(a.list.patterns) == len(a.list.paths)
}

// match returns the last pattern that takes an entry of the folder, nil when
// none does.
func (a *activeList) match(name string, dir bool) *ignorePattern {
	index := a.list.names.match(name, dir)
	if a.ends != nil {
		index = max(index, a.ends.match(name, dir))
	}
	if index == noPattern {
		return nil
	}
	return &a.list.patterns[index]
}
