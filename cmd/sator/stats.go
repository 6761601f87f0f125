package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode"

	"sator/cmd/internal/cli"
	"sator/dimacs"
)

// A property is a named value of the options or the statistics. Names are
// lower case with underscores, as in JSON documents.
type property struct {
	name  string
	value any
}

// text formats the value for a person.
func (p property) text() string {
	if x, ok := p.value.(float64); ok {
		if strings.HasSuffix(p.name, "_seconds") {
			return fmt.Sprintf("%.4f", x)
		}
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprint(p.value)
}

// properties are a JSON object whose members keep their order.
type properties []property

func (ps properties) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i, p := range ps {
		value, err := json.Marshal(number(p.value))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%q:%s", p.name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// number makes null of a float that JSON cannot write, an average of nothing.
func number(v any) any {
	if x, ok := v.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
		return nil
	}
	return v
}

// fieldsOf lists the fields of a struct that s points to, in their order.
func fieldsOf(s any) properties {
	var ps properties
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		ps = append(ps, property{snake(v.Type().Field(i).Name), v.Field(i).Interface()})
	}
	return ps
}

// snake turns ReusedTrails into reused_trails.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// list returns the options that bear on the answer.
func (o *solveOptions) list() properties {
	ps := properties{
		{"engine", o.engine.name},
		{"seed", o.seed},
		{"time", o.time.Seconds()},
		{"conflicts", o.conflicts},
		{"memory", o.memory >> 20},
		{"assume", ints(o.assume)},
		{"relaxed", o.relaxed},
		{"verify", o.verify},
	}
	if o.HasProof {
		ps = append(ps, property{"proof", o.Proof}, property{"proof_format", o.ProofFormat.String()})
	}
	return append(ps, o.setup.list()...)
}

// list returns what --stats prints: the engine's statistics, times in seconds,
// and the memory in MB that is held at the end.
func (got *outcome) list() properties {
	ps := got.counted()
	if got.stats != nil {
		conflicts, propagations := got.stats.work()
		ps = append(ps, property{"conflicts_per_second", cli.PerSecond(conflicts, got.solve)},
			property{"propagations_per_second", cli.PerSecond(propagations, got.solve)})
	}
	t := got.times()
	return append(ps, property{"read_seconds", t.Read}, property{"solve_seconds", t.Solve},
		property{"total_seconds", t.Total}, property{"memory_megabytes", cli.Megabytes(cli.Memory())})
}

// counted returns the engine's statistics, if there are any.
func (got *outcome) counted() properties {
	if got.stats == nil {
		return nil
	}
	return got.stats.list()
}

// times are in seconds. Reading ends with the input; solving is adding the
// clauses, searching and checking the model.
type times struct {
	Read  float64 `json:"read"`
	Solve float64 `json:"solve"`
	Total float64 `json:"total"`
}

func (got *outcome) times() times {
	read := got.total
	if got.input != nil {
		read = got.input.took
	}
	return times{read.Seconds(), got.solve.Seconds(), got.total.Seconds()}
}

// A document is what --json prints; the help text of solve describes it.
type document struct {
	Version    string     `json:"version"`
	Status     string     `json:"status"`
	Reason     string     `json:"reason,omitempty"`
	Model      []int      `json:"model,omitzero"`
	Failed     []int      `json:"failed_assumptions,omitzero"`
	Cubes      []cubeDoc  `json:"cubes,omitzero"`
	Verified   *bool      `json:"verified,omitempty"`
	Files      []string   `json:"files"`
	Engine     string     `json:"engine"`
	Variables  int        `json:"variables"`
	Clauses    int        `json:"clauses"`
	Options    properties `json:"options"`
	Times      times      `json:"times"`
	Memory     int64      `json:"memory"`
	Statistics properties `json:"statistics"`
}

type cubeDoc struct {
	Number int    `json:"number"`
	Status string `json:"status"`
}

func (r *report) document(got *outcome) *document {
	d := &document{
		Version:    cli.Version(),
		Status:     got.status.String(),
		Reason:     got.reason,
		Files:      r.o.files,
		Engine:     r.o.chosen.name,
		Options:    r.o.list(),
		Times:      got.times(),
		Memory:     cli.Memory(),
		Statistics: got.counted(),
	}
	if got.input != nil {
		d.Variables, d.Clauses = got.input.formula.Vars(), got.input.formula.Len()
	}
	if got.model != nil && !r.o.noModel {
		d.Model = ints(got.input.complete(got.model).Lits())
	}
	if got.status == dimacs.Unsatisfiable && len(r.o.assume) > 0 {
		d.Failed = ints(got.failed)
	}
	if r.o.verify {
		d.Verified = &got.verified
	}
	for i, s := range got.cubes {
		d.Cubes = append(d.Cubes, cubeDoc{i + 1, s.String()})
	}
	return d
}

func ints(ls []dimacs.Lit) []int {
	ns := make([]int, len(ls))
	for i, l := range ls {
		ns[i] = l.Int()
	}
	return ns
}
