package fsys

import (
	"bytes"
	"os"
)

// machine returns what the system says of itself.
func machine() (id, boot string) {
	for _, file := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if raw, err := os.ReadFile(file); err == nil && id == "" {
			id = string(bytes.TrimSpace(raw))
		}
	}
	raw, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return id, string(bytes.TrimSpace(raw))
}
