package engines

import (
	"bufio"
	"context"
	"io"

	"sator/cmd/internal/cli"
)

// A TraceFile is the file for the trace.
type TraceFile struct {
	*cli.OutputFile
	lines *bufio.Writer
}

// StartTrace begins to make the file of that name, if there is one.
func StartTrace(e *cli.Env, parent context.Context, name string) (context.Context, *TraceFile, error) {
	ctx, r, err := e.StartOutput(parent, "trace", name)
	if r == nil || err != nil {
		return parent, nil, err
	}
	return ctx, &TraceFile{r, bufio.NewWriterSize(r, 1<<16)}, nil
}

// Writer returns what the lines of the trace are written to, nil if nobody
// wants them.
func (t *TraceFile) Writer() io.Writer {
	if t == nil {
		return nil
	}
	return t.lines
}

// Close completes the file, as that of a record.
func (t *TraceFile) Close() error {
	if t == nil {
		return nil
	}
	t.lines.Flush() // its error is in t.err
	return t.OutputFile.Close()
}

func (t *TraceFile) Abort() {
	if t != nil {
		t.OutputFile.Abort()
	}
}
