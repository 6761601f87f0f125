package service

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
)

// call runs an operation that must succeed and decodes its result.
func call[Out any](t *testing.T, s *Service, op, args string) (out Out) {
	t.Helper()
	decode(t, op, s.Call(t.Context(), op, []byte(args), nil, nil), &out)
	return out
}

// decode stores the result of a reply, which must be no error.
func decode(t *testing.T, op string, reply Reply, out any) {
	t.Helper()
	if reply.Err != nil {
		t.Fatalf("%s: %v", op, reply.Err)
	}
	if err := json.Unmarshal(reply.Result, out); err != nil {
		t.Fatalf("%s: %v in %s", op, err, reply.Result)
	}
}

// with returns a service that has a handler under the name "test".
func with(pause func(), h Handler) *Service {
	s := New(pause)
	s.handlers["test"] = h
	return s
}

func TestErrors(t *testing.T) {
	type pair struct{ A, B int }
	s := with(nil, handle(func(_ *Call, p pair) (int, error) {
		switch p.A {
		case 1:
			panic("a fault")
		case 2:
			panic(&dimacs.MemoryError{Bytes: 1e9})
		case 3:
			return 0, errors.New("an error")
		}
		return p.A + p.B, nil
	}))
	for _, c := range []struct{ op, args, want string }{
		{"test", `{"A": 1}`, "error of Sator itself: a fault"},
		{"test", `{"A": 2}`, (&dimacs.MemoryError{Bytes: 1e9}).Error()},
		{"test", `{"A": 3}`, "an error"},
		{"test", `{"C": 3}`, `unknown field "C"`},
		{"test", `{"A": "x"}`, "invalid arguments"},
		{"test", `{} {}`, "more than one value"},
		{"test", ``, "invalid arguments"},
		{"none", `{}`, `unknown operation "none"`},
	} {
		reply := s.Call(t.Context(), c.op, []byte(c.args), nil, nil)
		if reply.Err == nil || !strings.Contains(reply.Err.Message, c.want) {
			t.Errorf("%s %s: got %v, want %q", c.op, c.args, reply.Err, c.want)
		}
	}
	if got := call[int](t, s, "test", `{"A": 40, "B": 2}`); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
}

// TestYield checks that work is paused at intervals and sees that it is canceled.
func TestYield(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pauses := 0
	s := with(func() {
		if pauses++; pauses == 3 {
			cancel()
		}
	}, func(c *Call, _ []byte) (any, error) {
		c.Progress("begun")
		for ctx := c.Context(); ctx.Err() == nil; {
		}
		return "stopped", nil
	})
	var messages []string
	start := time.Now()
	reply := s.Call(ctx, "test", nil, nil, func(m []byte) { messages = append(messages, string(m)) })
	if string(reply.Result) != `"stopped"` || pauses != 3 || time.Since(start) < 3*slice {
		t.Errorf("got %s, %v after %d pauses and %v", reply.Result, reply.Err, pauses, time.Since(start))
	}
	if len(messages) != 1 || messages[0] != `"begun"` {
		t.Errorf("progress messages: %q", messages)
	}
}

// TestSource checks the kinds of formulas in requests, and their errors.
func TestSource(t *testing.T) {
	s := New(nil)
	for _, c := range []struct{ args, file, want string }{
		{`{"text": "p cnf 2 1\n1 -2 0\n"}`, "", `{"vars":2,"clauses":1,"literals":2,"sizes":[0,0,1,0,0,0,0,0,0,0,0]}`},
		{`{}`, "1 2 3 0\n0\n", `{"vars":3,"clauses":2,"literals":3,"sizes":[1,0,0,1,0,0,0,0,0,0,0],"warnings":["1:1: `},
		{`{"family": "php", "values": {"holes": 2}}`, "", `"answer":"UNSATISFIABLE","comments":["sator generate php`},
		{`{"text": "p cnf 2 1\n1 x 0\n"}`, "", "2:3 "},
		{`{"text": "1 0"}`, "1 0", "0:0 a text and a file are two formulas"},
		{`{"text": "1 0", "family": "php"}`, "", "0:0 a text and a family are two formulas"},
		{`{"family": "none"}`, "", `0:0 unknown family "none"`},
		{`{"family": "php", "values": {"holes": -1}}`, "", "holes"},
		{`{}`, "", "0:0 no formula"},
	} {
		reply := s.Call(t.Context(), "formula.load", []byte(c.args), []byte(c.file), nil)
		got := string(reply.Result)
		if e := reply.Err; e != nil {
			got = strings.Join([]string{position(e), e.Message}, " ")
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.args, got, c.want)
		}
	}
}

func position(e *Error) string {
	b, _ := json.Marshal([2]int{e.Line, e.Column})
	return strings.Trim(strings.ReplaceAll(string(b), ",", ":"), "[]")
}

// TestText checks that a formula can be read again.
func TestText(t *testing.T) {
	s := New(nil)
	if reply := s.Call(t.Context(), "formula.text", []byte("{}"), nil, nil); reply.Err == nil {
		t.Error("there is a text without a formula")
	}
	before := call[Summary](t, s, "formula.load", `{"family": "ksat", "values": {"vars": 30}, "seed": 5}`)
	reply := s.Call(t.Context(), "formula.text", []byte("{}"), nil, nil)
	if reply.Err != nil || len(reply.Attachment) != 1 {
		t.Fatalf("got %d attachments, %v", len(reply.Attachment), reply.Err)
	}
	var after Summary
	decode(t, "formula.load", s.Call(t.Context(), "formula.load", []byte("{}"), reply.Attachment[0], nil), &after)
	if after.Vars != before.Vars || after.Clauses != before.Clauses || after.Literals != before.Literals {
		t.Errorf("got %v, want %v", after, before)
	}
}
