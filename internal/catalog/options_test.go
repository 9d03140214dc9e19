package catalog

// WithoutWatching has the catalog compare times at every call, as it does
// where the system has no watches.
func WithoutWatching() Option { return func(c *Catalog) { c.watching = false } }
