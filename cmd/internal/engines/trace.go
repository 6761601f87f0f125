package engines

import (
	"bufio"

	"sator/cmd/internal/cli"
)

// A TraceFile is the file of --trace. It is the writer of the lines.
type TraceFile struct {
	*bufio.Writer
	out *cli.OutputFile
}

// CreateTrace creates the file of a trace.
func CreateTrace(r *cli.Run, name string) (*TraceFile, error) {
	out, err := r.CreateOutput("trace", name)
	if err != nil {
		return nil, err
	}
	t := &TraceFile{bufio.NewWriterSize(out, 1<<16), out}
	r.Keep(t)
	return t, nil
}

// Close completes the file, as OutputFile.Close does.
func (t *TraceFile) Close() error {
	t.Flush() // t.out has its error
	return t.out.Close()
}

func (t *TraceFile) Abort() { t.out.Abort() }
