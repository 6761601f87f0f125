package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
)

// MaxLine is the largest number of bytes in a line.
const MaxLine = 16 << 20

// A TruncatedError is the error of a recording that ends without its last line, or within a
// line. The process was killed, or it is still running. The lines before the end are valid.
type TruncatedError struct {
	File string // the name that the reader was given; may be empty
	Line int    // number of complete lines
}

func (e *TruncatedError) Error() string {
	msg := fmt.Sprintf("the recording is truncated after line %d: it has no line of the type end", e.Line)
	if e.Line == 0 {
		msg = "the recording is empty"
	}
	if e.File != "" {
		msg = e.File + ": " + msg
	}
	return msg
}

// Unwrap returns [io.ErrUnexpectedEOF].
func (e *TruncatedError) Unwrap() error { return io.ErrUnexpectedEOF }

// A Reader reads the lines of a recording. It checks their order, the version, and that
// solvers are indices of Run.Solvers. It skips lines of unknown types and unknown members of
// lines, and warns of the first of each name.
type Reader struct {
	// Name is the name of the input in errors.
	Name string

	// Warn, if not nil, is called with the warnings, which have positions.
	Warn func(error)

	in      *bufio.Reader
	run     *Run
	end     bool
	line    int             // number of the last line read
	unknown map[string]bool // texts of the warnings so far
}

// NewReader returns a reader of uncompressed lines from r.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: bufio.NewReader(r), unknown: map[string]bool{}}
}

// Next returns the next line. The first one is a *[Run]. After the *[End] line the error is
// [io.EOF]. It is a *[TruncatedError] if the input ends before, a *[dimacs.SyntaxError] with
// line and column if a line is malformed, or an error of the underlying reader.
func (r *Reader) Next() (Line, error) {
	for {
		text, err := r.readLine()
		if err != nil {
			return nil, err
		}
		l, err := r.parse(text)
		if l != nil || err != nil {
			return l, err
		}
	}
}

// readLine returns the next line without its line feed. Empty lines are skipped.
func (r *Reader) readLine() ([]byte, error) {
	var text []byte
	for {
		part, err := r.in.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > MaxLine:
			r.line++
			return nil, r.errorf(MaxLine+1, "the line exceeds %d bytes", MaxLine)
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && r.end && len(bytes.TrimSpace(text)) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return r.lastLine(text)
		case err != nil:
			return nil, err
		default:
			r.line++
			if text = bytes.TrimRight(text, "\r\n"); len(text) > 0 {
				return text, nil
			}
		}
	}
}

// lastLine returns a last line without a line feed, unless it is incomplete.
func (r *Reader) lastLine(text []byte) ([]byte, error) {
	if len(text) == 0 || r.line > 0 && !json.Valid(text) {
		return nil, &TruncatedError{r.Name, r.line}
	}
	r.line++
	return text, nil
}

// parse returns the line with this text, or nil if its type is unknown.
func (r *Reader) parse(text []byte) (Line, error) {
	var head struct {
		Type    string `json:"t"`
		Version int    `json:"version"`
	}
	if err := r.decode(text, &head); err != nil {
		return nil, err
	}
	switch {
	case head.Type == "":
		return nil, r.errorf(1, `not a line of a recording: it has no member "t"`)
	case r.end:
		return nil, r.errorf(1, "a line of the type %s after the line of the type end", head.Type)
	case (r.run == nil) != (head.Type == "run"):
		return nil, r.errorf(1, "a line of the type %s: want the type run in the first line only", head.Type)
	case r.run == nil && head.Version > Version:
		return nil, r.errorf(1, "version %d of the format: this program reads versions 1 to %d", head.Version, Version)
	case r.run == nil && head.Version < 1:
		return nil, r.errorf(1, "version %d of the format: want 1 to %d", head.Version, Version)
	}
	for _, make := range types {
		if l := make(); l.Type() == head.Type {
			if err := r.decodeLine(text, l); err != nil {
				return nil, err
			}
			return l, r.accept(l)
		}
	}
	r.warn("lines of the type %q are not read: this program does not know it", head.Type)
	return nil, nil
}

// decodeLine parses a line, and warns of an unknown member.
func (r *Reader) decodeLine(text []byte, l Line) error {
	members, first := bytes.CutPrefix(text, fmt.Appendf(nil, `{"t":%q,`, l.Type()))
	if !first {
		all := map[string]json.RawMessage{}
		if err := r.decode(text, &all); err != nil {
			return err
		}
		delete(all, "t")
		members, _ = json.Marshal(all) // of valid JSON
		members = members[1:]
	}
	strict := json.NewDecoder(io.MultiReader(strings.NewReader("{"), bytes.NewReader(members)))
	strict.DisallowUnknownFields()
	err := strict.Decode(l)
	if err == nil {
		return nil
	}
	if err := r.decode(text, l); err != nil {
		return err
	}
	r.warn("lines of the type %s: %s is not read", l.Type(), strings.TrimPrefix(err.Error(), "json: "))
	return nil
}

// warn warns of something that is not read, once.
func (r *Reader) warn(format string, args ...any) {
	err := r.errorf(1, format, args...)
	if what := fmt.Sprintf(format, args...); r.Warn != nil && !r.unknown[what] {
		r.unknown[what] = true
		r.Warn(err)
	}
}

// accept checks a line and records what later lines depend on.
func (r *Reader) accept(l Line) error {
	s := 0
	switch l := l.(type) {
	case *Run:
		r.run = l
		return nil
	case *End:
		r.end = true
		return nil
	case *Formula:
		return nil
	case *Sample:
		s = l.Solver
	case *Event:
		s = l.Solver
	case *Pass:
		s = l.Solver
	case *Exchange:
		s = l.Solver
	}
	if s < 0 || s >= len(r.run.Solvers) {
		return r.errorf(1, "solver %d: the run has %d solvers, counted from 0", s, len(r.run.Solvers))
	}
	return nil
}

// decode parses JSON. Its errors have positions.
func (r *Reader) decode(text []byte, to any) error {
	err := json.Unmarshal(text, to)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return r.errorf(int(max(syntax.Offset, 1)), "invalid JSON: %v", syntax)
	case errors.As(err, &kind) && kind.Field != "":
		return r.errorf(int(max(kind.Offset, 1)), "invalid member %s: want %s, not a JSON %s", kind.Field, jsonName(kind), kind.Value)
	case errors.As(err, &kind):
		return r.errorf(int(max(kind.Offset, 1)), "want a JSON object, not a JSON %s", kind.Value)
	}
	return r.errorf(1, "invalid JSON: %v", err)
}

// jsonName returns the name of the JSON type that a member must have.
func jsonName(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind().String() {
	case "struct", "map", "ptr":
		return "an object"
	case "slice", "array":
		return "an array"
	case "string":
		return "a string"
	case "float64":
		return "a number"
	}
	return "an integer in the range of " + e.Type.String()
}

// errorf returns an error at a column of the current line.
func (r *Reader) errorf(column int, format string, args ...any) error {
	return &dimacs.SyntaxError{File: r.Name, Line: r.line, Col: column, Msg: fmt.Sprintf(format, args...)}
}

// A Recording is the content of a recording.
type Recording struct {
	Run     *Run
	Formula *Formula // nil if the run ended before the formula was read
	Lines   []Line   // all lines in their order, Run, Formula and End included
	End     *End     // nil if the recording is truncated

	Warnings []error // see [Reader]
}

// Read reads a recording from r. The name is that of the input in errors. With an error it
// returns the lines before the error; the recording is nil if there are none. The errors are
// those of [Reader.Next], except [io.EOF].
func Read(name string, r io.Reader) (all *Recording, err error) {
	in := NewReader(r)
	in.Name = name
	var warnings []error
	in.Warn = func(err error) { warnings = append(warnings, err) }
	defer func() {
		if all != nil {
			all.Warnings = warnings
		}
	}()
	for {
		l, err := in.Next()
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return all, nil
		} else if err != nil {
			return all, err
		}
		switch l := l.(type) {
		case *Run:
			all = &Recording{Run: l}
		case *Formula:
			all.Formula = l
		case *End:
			all.End = l
		}
		all.Lines = append(all.Lines, l)
	}
}
