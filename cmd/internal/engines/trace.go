package engines

import (
	"bufio"
	"context"
	"io"

	"sator/cmd/internal/cli"
)

// A TraceFile is the file of --trace.
type TraceFile struct {
	*cli.OutputFile
	lines *bufio.Writer
}

// StartTrace creates the file of a trace. For an empty name it returns nil.
func StartTrace(e *cli.Env, parent context.Context, name string) (context.Context, *TraceFile, error) {
	ctx, r, err := e.StartOutput(parent, "trace", name)
	if r == nil || err != nil {
		return parent, nil, err
	}
	return ctx, &TraceFile{r, bufio.NewWriterSize(r, 1<<16)}, nil
}

// Writer returns the writer of the lines, or nil if there is no trace.
func (t *TraceFile) Writer() io.Writer {
	if t == nil {
		return nil
	}
	return t.lines
}

// Close completes the file, as OutputFile.Close does.
func (t *TraceFile) Close() error {
	if t == nil {
		return nil
	}
	t.lines.Flush() // t.err has its error
	return t.OutputFile.Close()
}

func (t *TraceFile) Abort() {
	if t != nil {
		t.OutputFile.Abort()
	}
}
