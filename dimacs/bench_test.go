package dimacs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
)

// A shape is a kind of formula files, for measurements of speed and memory.
type shape struct {
	name string
	vars int
	size func(rng *rand.Rand) int // returns the length of the next clause
}

var shapes = []shape{
	{"3sat", 1_000_000, func(*rand.Rand) int { return 3 }},
	{"binary", 200_000, func(rng *rand.Rand) int {
		if rng.IntN(100) < 85 {
			return 2
		}
		return 1 + rng.IntN(6)
	}},
	{"long", 50_000, func(*rand.Rand) int { return 1000 }},
	{"small numbers", 99, func(*rand.Rand) int { return 5 }},
	{"large numbers", 30_000_000, func(*rand.Rand) int { return 3 }},
}

// text returns a CNF file of about size bytes.
func (s shape) text(size int) []byte {
	rng := rand.New(rand.NewPCG(1, 1))
	body := make([]byte, 0, size+8000)
	clauses := 0
	for len(body) < size {
		for range s.size(rng) {
			n := 1 + rng.IntN(s.vars)
			if rng.IntN(2) == 0 {
				n = -n
			}
			body = append(strconv.AppendInt(body, int64(n), 10), ' ')
		}
		body = append(body, "0\n"...)
		clauses++
	}
	return append(fmt.Appendf(nil, "p cnf %d %d\n", s.vars, clauses), body...)
}

func BenchmarkRead(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			in := s.text(50_000_000)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				f, err := Read(bytes.NewReader(in))
				if err != nil || f.Len() == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

// onFormulas measures work on a formula of each shape, per byte of its text.
func onFormulas(b *testing.B, work func(f *Formula) error) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			in := s.text(10_000_000)
			f, err := Read(bytes.NewReader(in))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				if err := work(f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	onFormulas(b, func(f *Formula) error { return Write(io.Discard, f) })
}

func BenchmarkNormalize(b *testing.B) {
	onFormulas(b, func(f *Formula) error {
		if f.Normalize().Len() == 0 {
			return errors.New("no clauses")
		}
		return nil
	})
}

// TestMemory checks that a formula takes at most 1.2 times 4 bytes a literal,
// and 4 bytes a clause, and that the heap is never larger than twice that while
// it is read.
func TestMemory(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			in := s.text(8_000_000)
			before := heap()
			gauge := &gauge{r: bytes.NewReader(in)}
			f, err := Read(gauge)
			if err != nil {
				t.Fatal(err)
			}
			kept := heap() - before
			limit := int64(f.Size())*4*12/10 + int64(f.Len())*4
			if kept > limit {
				t.Errorf("keeps %d bytes, more than %d", kept, limit)
			}
			if peak := gauge.peak - before; peak > 2*limit {
				t.Errorf("peak of %d bytes, more than twice %d", peak, limit)
			}
			runtime.KeepAlive(f)
			runtime.KeepAlive(in)
		})
	}
}

// heap returns the number of live bytes after a garbage collection.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A gauge measures the heap, including dead objects, at each Read.
type gauge struct {
	r    io.Reader
	peak int64
}

func (g *gauge) Read(p []byte) (int, error) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	g.peak = max(g.peak, int64(m.HeapAlloc))
	return g.r.Read(p)
}

// TestReadAllocations checks that a header alone allocates nothing for its
// clauses, and that reading allocates by the block and not by the clause.
func TestReadAllocations(t *testing.T) {
	in := []byte("p cnf 1073741823 9223372036854775807\n1 0\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Read(bytes.NewReader(in)); err == nil {
		t.Fatal("no error")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes for two clauses", n)
	}
	in = shapes[0].text(4_000_000)
	allocs := testing.AllocsPerRun(1, func() {
		if _, err := Read(bytes.NewReader(in)); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 150 {
		t.Errorf("%.0f allocations for 165,000 clauses", allocs)
	}
	// The careful path must not allocate more than the fast loop. This file has
	// a comment after every clause and numbers of eight digits.
	var slow bytes.Buffer
	slow.WriteString("p cnf 12345678 50000\n")
	for range 50000 {
		slow.WriteString("12345678 -12345678 0 c x\n")
	}
	allocs = testing.AllocsPerRun(1, func() {
		if _, err := Read(bytes.NewReader(slow.Bytes())); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 150 {
		t.Errorf("%.0f allocations for 50,000 clauses", allocs)
	}
}
