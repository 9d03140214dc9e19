package fsys

import "golang.org/x/sys/windows/registry"

// machine returns what the system says of itself; of its starts it does not tell.
func machine() (id, boot string) {
	k, err := registry.OpenKey(registry.LOCAL_MACHINE, `SOFTWARE\Microsoft\Cryptography`, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err != nil {
		return "", ""
	}
	defer k.Close()
	id, _, err = k.GetStringValue("MachineGuid")
	if err != nil {
		return "", ""
	}
	return id, ""
}
