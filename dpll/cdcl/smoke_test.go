package cdcl

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
)

func load(t testing.TB, name string) *dimacs.Formula {
	fd, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	z, _ := gzip.NewReader(fd)
	sc := bufio.NewScanner(z)
	sc.Buffer(make([]byte, 1<<20), 1<<28)
	f := dimacs.NewFormula(0)
	var c []dimacs.Lit
	for sc.Scan() {
		line := sc.Text()
		if line == "" || line[0] == 'c' || line[0] == 'p' || line[0] == '%' {
			if len(line) > 0 && line[0] == 'p' {
				fs := strings.Fields(line)
				n, _ := strconv.Atoi(fs[2])
				f.Grow(n)
			}
			continue
		}
		for _, w := range strings.Fields(line) {
			n, _ := strconv.Atoi(w)
			if n == 0 {
				f.Add(c...)
				c = c[:0]
			} else {
				c = append(c, dimacs.FromInt(n))
			}
		}
	}
	return f
}

func TestSmoke(t *testing.T) {
	data, _ := os.ReadFile(os.Getenv("LIST"))
	limit, _ := strconv.Atoi(os.Getenv("LIMIT"))
	for _, row := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		fs := strings.Fields(row)
		if m := os.Getenv("MATCH"); m != "" && !strings.Contains(fs[0], m) {
			continue
		}
		f := load(t, "/work/shared/corpus/"+fs[0])
		s := New(DefaultOptions())
		s.AddFormula(f)
		s.SetLimits(Limits{Time: time.Duration(limit) * time.Second})
		start := time.Now()
		st := s.Solve(context.Background())
		d := time.Since(start)
		bad := ""
		if st == dimacs.Satisfiable && fs[1] == "UNSAT" || st == dimacs.Unsatisfiable && fs[1] == "SAT" {
			bad = "WRONG"
		}
		if st == dimacs.Satisfiable {
			if i := s.Model().Falsified(f); i >= 0 {
				bad = "BADMODEL"
			}
		}
		x := s.Stats()
		if bad != "" {
			t.Errorf("%s %s", bad, row)
		}
		if os.Getenv("V") != "" || bad != "" {
			fmt.Printf("%8.2f %-14v %s %s confl %d props %d M/s %.2f restarts %d red %d coll %d glue %.1f size %.1f ticks/s %.0fM\n", d.Seconds(), st, bad, fs[0], x.Conflicts, x.Propagations, float64(x.Propagations)/d.Seconds()/1e6, x.Restarts, x.Reductions, x.Collections, x.Glue, x.Size, float64(x.Ticks)/d.Seconds()/1e6)
		}
	}
}
