package commandtest

import (
	"bufio"
	"bytes"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"

	"sator/cmd/internal/cli"
)

// A Program runs a command line of sator.
type Program func(Call) Result

// A Call is a command line.
type Call struct {
	Dir   string   // folder of the files
	Args  []string // file names are absolute
	Stdin []byte

	// KillAfter is a number of lines. A process is killed after it has printed so many on
	// standard output. 0 means never; commands in this process are never killed.
	KillAfter int
}

// A Result is the result of a command line.
type Result struct {
	Code   int // exit code; -1 for a killed process
	Stdout string
	Stderr string
}

// starting is locked while a process starts. A new process has the files of this one for a
// moment, and with them the locks of run folders. A command that ended meanwhile then seems
// to keep its lock.
var starting sync.RWMutex

// start starts a process.
func start(cmd *exec.Cmd) error {
	starting.Lock()
	defer starting.Unlock()
	return cmd.Start()
}

// InProcess returns a Program that runs the commands of p in this process.
func InProcess(p *cli.Program) Program {
	return func(c Call) Result {
		var out, errs bytes.Buffer
		e := &cli.Env{Stdin: bytes.NewReader(c.Stdin), Stdout: &out, Stderr: &cli.LockedWriter{W: &errs}}
		if slices.ContainsFunc(c.Args, func(a string) bool { return strings.HasPrefix(a, "--run=") }) {
			starting.RLock()
			defer starting.RUnlock()
		}
		code := p.Run(e, c.Args)
		return Result{code, out.String(), errs.String()}
	}
}

// Process returns a Program that starts a process for each command line.
func Process(name string) Program {
	return func(c Call) Result {
		cmd := exec.Command(name)
		for _, a := range c.Args {
			cmd.Args = append(cmd.Args, relative(a, c.Dir))
		}
		var out, errs bytes.Buffer
		cmd.Dir, cmd.Stdin, cmd.Stderr = c.Dir, bytes.NewReader(c.Stdin), &errs
		var err error
		if c.KillAfter > 0 {
			err = runAndKill(cmd, &out, c.KillAfter)
		} else {
			cmd.Stdout = &out
			if err = start(cmd); err == nil {
				err = cmd.Wait()
			}
		}
		code := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) || errors.Is(err, syscall.EPIPE) && cmd.ProcessState != nil { // it need not read its input
			code = cmd.ProcessState.ExitCode()
		} else if err != nil {
			code = -1
			errs.WriteString(err.Error())
		}
		return Result{code, out.String(), errs.String()}
	}
}

// runAndKill runs a command and kills it after some lines of output.
func runAndKill(cmd *exec.Cmd, out *bytes.Buffer, lines int) error {
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := start(cmd); err != nil {
		return err
	}
	r := bufio.NewReader(pipe)
	for i := 0; ; i++ {
		line, err := r.ReadString('\n')
		out.WriteString(line)
		if err != nil {
			break
		}
		if i == lines {
			cmd.Process.Kill()
		}
	}
	return cmd.Wait()
}

// relative returns an argument with the names of files in a folder relative to it.
func relative(arg, dir string) string {
	return strings.ReplaceAll(arg, dir+"/", "")
}

// quoted returns an argument for a shell.
func quoted(arg string) string {
	if arg != "" && strings.Trim(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:+%") == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
