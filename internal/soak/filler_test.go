//go:build linux

package soak

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// filler fills the state folder up, and makes room again.
type filler struct {
	*world
	rnd *rand.Rand
}

func (f *filler) pause() time.Duration { return time.Duration(2+f.rnd.IntN(6)) * time.Second }

func (f *filler) step() {
	full := time.Duration(200+f.rnd.IntN(2000)) * time.Millisecond
	if !f.mounted {
		return // files are limited all the time
	}
	came := f.did("filler", "fills the state folder for %v", full)
	ballast := filepath.Join(f.state, "ballast")
	f.must(fill(ballast))
	f.sleep(full)
	f.must(os.Remove(ballast))
	came("there is room again")
}

// fill writes to a file until there is no more room.
func fill(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	block := make([]byte, 64<<10)
	for len(block) > 0 {
		if _, err := file.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else if err != nil {
			return err
		}
	}
	return nil
}
