//go:build linux && !race

package direct

func ordered() {}
