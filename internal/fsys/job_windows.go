package fsys

import (
	"encoding/binary"
	"runtime"

	"golang.org/x/sys/windows"

	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
)

// Job is a set of processes: those that were put into it, and all that they start.
// They end with the job, which ends with this process. Its owner closes it.
type Job struct{ handle windows.Handle }

// NewJob returns a job without processes.
func NewJob() (Job, error) {
	h, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return Job{}, err
	}
	limits := make([]byte, 144) // JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	binary.LittleEndian.PutUint32(limits[16:], windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)
	_, err = windows.SetInformationJobObject(h, windows.JobObjectExtendedLimitInformation, reinterpret.Address(limits), uint32(len(limits)))
	runtime.KeepAlive(limits)
	if err != nil {
		windows.CloseHandle(h)
		return Job{}, err
	}
	return Job{h}, nil
}

// Begin puts a process into the job that was started suspended, and lets it run.
func (j Job) Begin(pid int) error {
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE|windows.PROCESS_SUSPEND_RESUME, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(p)
	if err := windows.AssignProcessToJobObject(j.handle, p); err != nil {
		return err
	}
	resume := windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")
	if status, _, _ := resume.Call(uintptr(p)); status != 0 {
		return windows.NTStatus(status)
	}
	return nil
}

// Tell asks the processes of a console's group to end, as Ctrl+Break does.
func (j Job) Tell(pid int) error {
	return windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(pid))
}

// End ends all processes of the job.
func (j Job) End() { _ = windows.TerminateJobObject(j.handle, endedCode) }

// endedCode is the exit code of processes that are ended: 128 and 9, as shells tell
// of those that were killed.
const endedCode = 137

// SystemFolder returns where the system's own programs are.
func SystemFolder() string {
	dir, err := windows.GetSystemDirectory()
	if err != nil {
		return `C:\Windows\System32`
	}
	return dir
}

// Close ends what is left of the job.
func (j Job) Close() { windows.CloseHandle(j.handle) }
