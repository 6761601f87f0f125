package program

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestInterruptOnTerminal types an interrupt at a terminal while a solver runs, with a status
// line and without one. It expects a clean screen: the lines of the answer alone, or below
// a line with the echo, and no blanks at their ends.
func TestInterruptOnTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.cnf")
	if err := exec.Command("sator", "generate", "miter-multiplier", "--bits", "16", "-o", file).Run(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		flag, shown string // the text that is on the screen before the interrupt: of the search, of any task
		columns     uint16
		want        []string
	}{
		{"--no-model", " conflict", 80, []string{"c sator ", "c read ", "c engine ", "c stopped ", "s UNKNOWN"}},
		{"--no-model", " MB", 24, nil},
		{"--quiet", "", 80, []string{"^C", "s UNKNOWN"}},
	} {
		raw := interrupted(t, tt.columns, tt.shown, file, "sator", "solve", tt.flag, file)
		lines := screenLines(raw)
		for _, line := range lines {
			if strings.TrimRight(line, " ") != line || line != "^C" && strings.Contains(line, "^C") || strings.Contains(line, " MB, ") {
				t.Errorf("%s: line %q on the screen after %q", tt.flag, line, raw)
			}
		}
		if tt.want == nil {
			continue
		}
		if len(lines) != len(tt.want) {
			t.Errorf("%s: %d lines, want %d: %q", tt.flag, len(lines), len(tt.want), lines)
			continue
		}
		for i, want := range tt.want {
			if !strings.HasPrefix(lines[i], want) {
				t.Errorf("%s: line %d is %q, want %q", tt.flag, i+1, lines[i], want)
			}
		}
	}
}

// interrupted runs a command on a terminal of its own, types an interrupt as soon as the
// output has the text shown, or the command has read a file if the text is empty, and returns
// the output.
func interrupted(t *testing.T, columns uint16, shown, file, name string, args ...string) string {
	t.Helper()
	master, slave := openTerminal(t, columns)
	defer master.Close()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "TERM=xterm")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	limit := time.AfterFunc(5*time.Minute, func() { cmd.Process.Kill() })
	defer limit.Stop()

	var raw strings.Builder
	typed := false
	press := func() {
		if !typed {
			typed = true
			if _, err := master.Write([]byte{3}); err != nil {
				t.Error(err)
			}
		}
	}
	if shown == "" {
		awaitRead(t, cmd.Process.Pid, file) // the program waits for signals from its first package on
		press()
	}
	buf := make([]byte, 4096)
	for {
		n, err := master.Read(buf)
		raw.Write(buf[:n])
		if shown != "" && strings.Contains(raw.String(), shown) {
			press()
		}
		if err != nil { // EIO at the end of the last process
			break
		}
	}
	if err := cmd.Wait(); err != nil || !typed {
		t.Errorf("%v after %q", err, &raw)
	}
	return raw.String()
}

// awaitRead waits until a process has read as many bytes as a file has.
func awaitRead(t *testing.T, pid int, file string) {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(10 * time.Millisecond) {
		var read int64
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscanf(string(b), "rchar: %d", &read); err != nil {
			t.Fatal(err)
		}
		if read >= info.Size() {
			return
		}
	}
	t.Error("the file is not read")
}

// openTerminal returns the two ends of a new pseudoterminal, or skips the test.
func openTerminal(t *testing.T, columns uint16) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudoterminals: %v", err)
	}
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns})
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skipf("no pseudoterminals: %v", err)
	}
	return master, slave
}

// screenLines returns the lines of a terminal after an output of text, carriage returns,
// line feeds and the control sequence that erases the rest of a line.
func screenLines(output string) []string {
	lines, column := []string{""}, 0
	for r := strings.NewReader(output); ; {
		c, err := r.ReadByte()
		last := &lines[len(lines)-1]
		switch {
		case err == io.EOF:
			if *last == "" {
				lines = lines[:len(lines)-1]
			}
			return lines
		case c == '\r':
			column = 0
		case c == '\n':
			lines = append(lines, "")
		case c == 0x1b:
			r.Seek(2, io.SeekCurrent) // [K
			*last = (*last)[:column]
		case column < len(*last):
			*last = (*last)[:column] + string(c) + (*last)[column+1:]
			column++
		default:
			*last += string(c)
			column++
		}
	}
}
