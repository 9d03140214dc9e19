package workspace

type savedTree struct{}

func (c *Catalog) takeSaved(_ *folderTree, _ *view) *node { return nil }
