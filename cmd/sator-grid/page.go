package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/nats-io/nats.go"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/grid"
	"sator/cmd/internal/localpage"
)

// The page of status --http.
//
// The page is one file without anything external. Its script asks for /status.json every
// second, so that a page stays usable after a restart of the server. A
// document is a grid.Status, or an error with the member "error".
//
// The answers of the run are shared by all pages: the coordinator is asked at most once
// in askInterval. The page sets text only (textContent), never markup: names and reasons
// come from other machines. Requests for other host names than that of --http are refused.

//go:embed page.html
var page []byte

// askInterval is the time between two questions to the coordinator.
const askInterval = 500 * time.Millisecond

// A pageServer serves the page and the state of a run.
type pageServer struct {
	host string // of --http
	ask  func(context.Context) (*grid.Status, error)

	turn   chan struct{} // held by the one that asks or reads the fields below
	asked  time.Time
	status *grid.Status
	err    error
}

func newPageServer(host string, ask func(context.Context) (*grid.Status, error)) *pageServer {
	return &pageServer{host: host, ask: ask, turn: make(chan struct{}, 1)}
}

// servePage serves the page until a signal comes. The signal is a success.
func (o *statusOptions) servePage(r *cli.Run, nc *nats.Conn) error {
	host, _, err := net.SplitHostPort(o.http)
	if err != nil {
		return cli.Invalid("http", o.http, "an address such as localhost:8080")
	}
	l, err := new(net.ListenConfig).Listen(r.Ctx, "tcp", o.http)
	if err != nil {
		return err
	}
	p := newPageServer(host, func(ctx context.Context) (*grid.Status, error) { return o.askOnce(ctx, nc) })
	s := &http.Server{
		Handler:           p.handler(),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return r.Ctx },
	}
	defer context.AfterFunc(r.Ctx, func() { s.Close() })()
	r.Say("the page is http://%s/", l.Addr())
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	if r.Signals.Err() == nil {
		return context.Cause(r.Ctx)
	}
	return nil
}

// askOnce asks for the state with a short patience, so that a page soon shows that there
// is no answer.
func (o *statusOptions) askOnce(ctx context.Context, nc *nats.Conn) (*grid.Status, error) {
	if !nc.IsConnected() {
		return nil, errors.New("no connection to the server")
	}
	return o.ask(ctx, nc)
}

// handler returns the handler of all requests.
func (p *pageServer) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(page)
	})
	mux.HandleFunc("GET /status.json", p.serveStatus)
	return localpage.Handler(mux, p.host)
}

// serveStatus answers with the state, or with the reason why no state is known.
func (p *pageServer) serveStatus(w http.ResponseWriter, r *http.Request) {
	s, err := p.current(r.Context())
	if r.Context().Err() != nil {
		return // the client has left
	}
	var document any = s
	code := http.StatusOK
	if err != nil {
		document, code = map[string]string{"error": err.Error()}, http.StatusServiceUnavailable
	}
	b, err := json.Marshal(document)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	w.Write(b)
}

// current returns the state. It is at most askInterval old.
func (p *pageServer) current(ctx context.Context) (*grid.Status, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if time.Since(p.asked) >= askInterval {
		s, err := p.ask(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err() // says nothing to others
		}
		p.status, p.err, p.asked = s, err, time.Now()
	}
	return p.status, p.err
}
