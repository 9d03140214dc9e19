package main

import (
	"os"
	"path/filepath"
	"strings"
)

// gitExcludes returns what the person has git ignore everywhere: the file that
// core.excludesFile of their own configuration names, else git's default one.
func gitExcludes() []byte {
	config, home := configHome(), ""
	if dir, err := os.UserHomeDir(); err == nil {
		home = dir
	}
	path := filepath.Join(config, "git", "ignore")
	for _, file := range []string{filepath.Join(config, "git", "config"), filepath.Join(home, ".gitconfig")} {
		if named := excludesFile(file); named != "" { // the later file counts
			path = named
		}
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(path) {
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil // most people have none
	}
	return b
}

// excludesFile returns what a git configuration file says of
// core.excludesFile; "" when it says nothing.
func excludesFile(path string) (named string) {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	section := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(strings.Trim(line, "[] \t"))
		}
		key, value, ok := strings.Cut(line, "=")
		if ok && section == "core" && strings.EqualFold(strings.TrimSpace(key), "excludesfile") {
			named = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return named
}
