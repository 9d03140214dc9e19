package catalog

// Of a file with several names the system tells what is written through one
// that is watched. What is written through a name outside of the workspace is
// not told, so that such files are looked at before each list. That a file got
// a second name is not told either: it is known from the next look at the
// file.

// maxLinked is how many files with several names are looked at each time. A
// tree with more, as stores of packages are, is not kept fresh against writes
// from outside.
const maxLinked = 4096

// lookAtLinked marks the files with several names that are not as they were.
func (v *view) lookAtLinked() {
	for _, n := range v.linked {
		v.lookAtLinkedIn(n)
	}
}

func (v *view) lookAtLinkedIn(n *node) {
	d, err := n.tree.dir.OpenBelow(n.rel)
	if err != nil {
		n.mark(todoCheck)
		return
	}
	defer d.Close()
	for _, name := range n.linked {
		i, known := n.file(name)
		if st, err := d.Lstat(name); err != nil || !known || st.ID != n.files[i].ID {
			n.markName(name, false)
		}
	}
}
