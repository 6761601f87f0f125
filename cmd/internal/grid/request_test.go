package grid

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dpll/portfolio"
)

// TestRequestSize tests that requests to checkers fit into messages, and that they ask for
// all results of a session in order.
func TestRequestSize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2 {
		c := &coordinator{identity: testRun}
		s := &proofSession{name: "s"}
		for seq := range uint64(rng.IntN(25_000)) {
			s.known = append(s.known, 1<<52+seq)
		}
		for range 30 {
			m := &ResultMessage{Version: Version, Run: testRun, Worker: "w", Session: "s"}
			m.Result = portfolio.Result{Status: dimacs.Unsatisfiable, Cube: make(portfolio.Literals, rng.IntN(MaxCube))}
			for i := range m.Result.Cube {
				m.Result.Cube[i] = dimacs.FromInt(i + 100_000)
			}
			m.Result.Failed = m.Result.Cube
			m.Segments = []SegmentRef{{Header: session.Header{Number: 1, SHA256: strings.Repeat("0", 64)}, Data: make([]byte, rng.IntN(MaxTail))}}
			if len(Encode(m)) <= MaxMessage {
				s.queue = append(s.queue, &record{seq: 1 << 52, msg: m})
			}
		}
		for requests := 0; len(s.queue) > 0; requests++ {
			q := c.request(s)
			if size := len(Encode(q)); size > MaxMessage || len(q.Items) == 0 || requests > 40 {
				t.Fatalf("request %d has %d bytes and %d items", requests+1, size, len(q.Items))
			}
			for _, item := range q.Items {
				if item.Known {
					s.loaded++
				} else {
					s.queue = s.queue[1:]
				}
			}
		}
	}
}
