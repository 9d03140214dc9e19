package fsys

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows"
)

// UserSID returns this process's user as a string, "S-1-5-21-…".
func UserSID() (string, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return "", err
	}
	return user.User.Sid.String(), nil
}

// CheckPipePeer returns an error unless the process at the other end of an open
// named pipe is this user's.
func CheckPipePeer(pipe uintptr, serves bool) error {
	ask := windows.GetNamedPipeServerProcessId
	if serves {
		ask = windows.GetNamedPipeClientProcessId
	}
	var pid uint32
	if err := ask(windows.Handle(pipe), &pid); err != nil {
		return fmt.Errorf("ask who is at the other end of the pipe: %w", err)
	}
	return checkProcessUser(pid)
}

func checkProcessUser(pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return fmt.Errorf("ask whose process %d is: %w", pid, err)
	}
	defer windows.CloseHandle(process)
	var token windows.Token
	if err := windows.OpenProcessToken(process, windows.TOKEN_QUERY, &token); err != nil {
		return fmt.Errorf("ask whose process %d is: %w", pid, err)
	}
	defer token.Close()
	theirs, err := token.GetTokenUser()
	if err != nil {
		return err
	}
	own, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return err
	}
	if !theirs.User.Sid.Equals(own.User.Sid) {
		return errors.New("the process at the other end is of user " + theirs.User.Sid.String())
	}
	return nil
}

// TakeFirstPipe connects to a named pipe that nobody is accepted at yet, and hangs
// up. The system makes an instance of the pipe with it that never accepts; wine
// has clients connect to that one, the first of them, who would wait for good.
func TakeFirstPipe(name string) {
	wide, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return
	}
	h, err := windows.CreateFile(wide, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING, windows.SECURITY_SQOS_PRESENT|windows.SECURITY_ANONYMOUS, 0)
	if err == nil {
		windows.CloseHandle(h)
	}
}

// PipeHungUp reports whether the other end of an open named pipe is gone.
func PipeHungUp(pipe uintptr) bool {
	peek := windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")
	ok, _, err := peek.Call(pipe, 0, 0, 0, 0, 0)
	return ok == 0 && (errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_PIPE_NOT_CONNECTED) || errors.Is(err, windows.ERROR_INVALID_HANDLE))
}
