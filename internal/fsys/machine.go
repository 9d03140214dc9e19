package fsys

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
)

// MachineID tells the machines and containers apart that share a folder, over the
// network or by a mount. Both are digests: the system's own identification is
// not for others to read.
type MachineID struct {
	// Machine stays the same when the machine is started anew; "" where the system does
	// not tell, as to some sandboxes.
	Machine string
	// Boot is another one after each start of the machine; "" as Machine. Containers
	// have that of the machine below them.
	Boot string
}

// ThisMachine returns the machine, or container, that this process runs on.
func ThisMachine() MachineID {
	id, boot := machine()
	if id != "" {
		name, _ := os.Hostname() // copies of an image have the same id
		id += "@" + name
	}
	return MachineID{digest(id), digest(boot)}
}

// digestLength is in hexadecimal digits.
const digestLength = 16

func digest(of string) string {
	if of == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("agent-lsp " + of))
	return hex.EncodeToString(sum[:])[:digestLength]
}

// Same reports whether m, of which another process told, is this machine or
// container; also where neither can be told.
func (here MachineID) Same(m MachineID) bool {
	if here.Machine != "" && m.Machine != "" {
		return here.Machine == m.Machine
	}
	return here.Boot == "" || m.Boot == "" || here.Boot == m.Boot
}

// Restarted reports whether this machine was started anew since a process of it
// told of m.
func (here MachineID) Restarted(m MachineID) bool {
	return here.Machine != "" && here.Machine == m.Machine && here.Boot != "" && m.Boot != "" && here.Boot != m.Boot
}
