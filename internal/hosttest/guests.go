package hosttest

func (c *scene) guests() error { return nil }
