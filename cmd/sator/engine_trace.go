package main

import (
	"bufio"
	"context"
	"io"

	"sator/cmd/internal/cli"
)

// A traceFile is the file for the trace.
type traceFile struct {
	*cli.Record
	lines *bufio.Writer
}

// startTrace begins to make the file of that name, if there is one.
func startTrace(e *cli.Env, parent context.Context, name string) (context.Context, *traceFile, error) {
	ctx, r, err := e.StartRecord(parent, "trace", name)
	if r == nil || err != nil {
		return parent, nil, err
	}
	return ctx, &traceFile{r, bufio.NewWriterSize(r, 1<<16)}, nil
}

// writer returns what the lines of the trace are written to, nil if nobody
// wants them.
func (t *traceFile) writer() io.Writer {
	if t == nil {
		return nil
	}
	return t.lines
}

// close completes the file, as that of a record.
func (t *traceFile) close() error {
	if t == nil {
		return nil
	}
	t.lines.Flush() // its error is in t.err
	return t.Record.Close()
}

func (t *traceFile) abort() {
	if t != nil {
		t.Record.Abort()
	}
}
