// Package service answers the requests of the playground, a web site with Sator's engines.
// A page sends a request to its worker, which calls [Service.Call]: the name of an
// operation, its arguments as JSON, and perhaps the bytes of a file. The reply is JSON as
// well, perhaps with bytes for a download. While a request runs it sends progress messages,
// and it can be canceled.
//
//	s := service.New(nil)
//	reply := s.Call(ctx, "formula.load", []byte(`{"text":"p cnf 1 1\n1 0\n"}`), nil, nil)
//	fmt.Println(string(reply.Result))
//
// The package knows neither JavaScript nor a browser, so that its tests run natively. A
// browser runs a worker in one thread: messages, such as that of a stop button, arrive
// only while no code runs. Long work therefore calls [Call.Yield] or polls [Call.Context]
// at least every 50 milliseconds. Both let messages in every 30 milliseconds, and leave the
// stack of the work in place, so that an engine searches as it would natively.
//
// # Files
//
// Each subject has a file with its operations, and a row of the table subjects.
//
//   - service.go: requests, replies, canceling
//   - source.go: formulas in requests: text, attached files, generated families
//   - sudoku.go: puzzles in requests and replies, texts, rules, menus
//   - sudoku_solve.go, sudoku_hint.go, sudoku_generate.go: solutions, hints and ratings, new
//     puzzles
//   - sudoku_animate.go, sudoku_formula.go: the search as frames, encodings and models
//   - formula.go, solve.go, core.go, live.go, proof.go: the page of formulas
//   - tree.go: the page of search trees
//   - cdcl.go: the page of clause learning
//   - twosat.go: the page of 2-SAT
//   - threshold.go: the page of random 3-SAT
package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"sator/dimacs"
)

// subjects lists the functions that make the operations of each subject. A [Service] calls
// each once, so that an operation may keep state between requests.
var subjects = []func() Handlers{
	cdclHandlers,
	formulaHandlers,
	sudokuHandlers,
	thresholdHandlers,
	treeHandlers,
	twosatHandlers,
}

// Handlers are operations by name, as in "formula.load".
type Handlers map[string]Handler

// A Handler runs an operation with its arguments, a JSON object. The result is encoded as
// JSON.
type Handler func(c *Call, args []byte) (result any, err error)

// handle returns a handler that decodes its arguments. Unknown members are errors.
func handle[In, Out any](f func(*Call, In) (Out, error)) Handler {
	return func(c *Call, args []byte) (any, error) {
		var in In
		d := json.NewDecoder(bytes.NewReader(args))
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			return nil, fmt.Errorf("invalid arguments: %w", err)
		}
		if _, err := d.Token(); err != io.EOF {
			return nil, errors.New("invalid arguments: more than one value")
		}
		return f(c, in)
	}
}

// A Service has the operations of all subjects and their state. Several requests may run at
// the same time.
type Service struct {
	handlers Handlers
	pause    func()
}

// New returns a service. While a request works, pause is called from time to time, if it is
// not nil: it returns after other events of the program were handled.
func New(pause func()) *Service {
	s := &Service{handlers: Handlers{}, pause: pause}
	for _, subject := range subjects {
		for name, h := range subject() {
			s.handlers[name] = h
		}
	}
	return s
}

// A Reply is the answer to a request.
type Reply struct {
	Result     json.RawMessage // nil if there is an error
	Attachment [][]byte        // bytes for a download, in parts; nil if there are none
	Err        *Error
}

// An Error is the error of a request. Line and Column, from 1, are positions in a text of
// the request, or 0.
type Error struct {
	Message string `json:"message"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// Call runs an operation and returns its reply. The end of ctx cancels it: depending on the
// operation the reply is then the result so far, or an error. If progress is not nil it is
// called with JSON messages while the operation runs.
func (s *Service) Call(ctx context.Context, op string, args, attachment []byte, progress func(message []byte)) (reply Reply) {
	c := &Call{Ctx: ctx, Attachment: attachment, pause: s.pause, last: time.Now(), progress: progress}
	defer func() {
		if p := recover(); p != nil {
			reply = Reply{Err: &Error{Message: failure(p)}}
		}
	}()
	h, ok := s.handlers[op]
	if !ok {
		return Reply{Err: &Error{Message: fmt.Sprintf("unknown operation %q", op)}}
	}
	result, err := h(c, args)
	if err != nil {
		return Reply{Err: errorOf(err)}
	}
	text, err := json.Marshal(result)
	if err != nil {
		panic("service: the result of " + op + " is no JSON: " + err.Error())
	}
	return Reply{Result: text, Attachment: c.attached}
}

// failure returns the message of a panic.
func failure(p any) string {
	if m, ok := p.(*dimacs.MemoryError); ok {
		return m.Error()
	}
	return fmt.Sprint("this is an error of Sator itself: ", p)
}

// errorOf returns an error with the position of the first syntax error in it.
func errorOf(err error) *Error {
	e := &Error{Message: err.Error()}
	var syntax *dimacs.SyntaxError
	if errors.As(err, &syntax) {
		e.Message, e.Line, e.Column = syntax.Msg, syntax.Line, syntax.Col
	}
	return e
}

// slice is the time after which a request lets messages in. A stop takes this long, and
// the time between two polls of an engine.
const slice = 30 * time.Millisecond

// A Call is a running request.
type Call struct {
	Ctx        context.Context // done when the request is canceled
	Attachment []byte          // bytes that came with the request

	attached [][]byte
	progress func([]byte)
	pause    func()
	last     time.Time // of the last pause
}

// Yield lets messages in if it was not called for a while, and reports whether the request
// is canceled. Most calls only read the clock.
func (c *Call) Yield() (canceled bool) {
	if c.pause != nil && time.Since(c.last) >= slice {
		c.pause()
		c.last = time.Now()
	}
	return c.Ctx.Err() != nil
}

// Context returns a context that ends with the request. Its method Err calls Yield, so that
// engines that poll their context let messages in.
func (c *Call) Context() context.Context { return yielding{c.Ctx, c} }

type yielding struct {
	context.Context
	call *Call
}

func (y yielding) Err() error {
	y.call.Yield()
	return y.Context.Err()
}

// Progress sends a message, encoded as JSON, to the caller.
func (c *Call) Progress(message any) {
	if c.progress == nil {
		return
	}
	text, err := json.Marshal(message)
	if err != nil {
		panic("service: a progress message is no JSON: " + err.Error())
	}
	c.progress(text)
}

// Attach adds bytes to the reply. They must not change afterwards.
func (c *Call) Attach(parts ...[]byte) { c.attached = append(c.attached, parts...) }
