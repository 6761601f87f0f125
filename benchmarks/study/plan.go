package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Plan is a study with all its runs in their order: for each subject every
// combination of the levels, the last factor changing fastest.
type Plan struct {
	study     *Study
	levels    [][]string // by factor
	seed      uint64
	count     int
	conflicts int64
	source    string
	made      bool // the subjects are puzzles that were made for it
	subjects  []*Subject
	runs      []*Run
}

// A Run is one of the things to do.
type Run struct {
	plan    *Plan
	number  int // in the plan, from 0
	subject *Subject
	levels  []string // by factor
}

// NewPlan makes the subjects and lists the runs. The error says what is wrong
// with the options, as an [*OptionError], or is that of ctx.
func NewPlan(ctx context.Context, s *Study, o Options) (*Plan, error) {
	p := &Plan{study: s, seed: o.Seed, conflicts: o.Conflicts}
	switch {
	case o.Conflicts == 0:
		p.conflicts = s.Conflicts
	case o.Conflicts < 0:
		p.conflicts = 0
	}
	if o.Count == 0 {
		o.Count = s.Count
	}
	var err error
	if o.Levels, err = p.parse(o.Levels); err != nil {
		return nil, err
	}
	p.count = o.Count
	given := o.Puzzles != nil
	if !given && o.Dir != "" {
		p.takeKept(&o)
	}
	if p.subjects, err = s.subjects(ctx, &o); err != nil {
		return nil, err
	}
	p.source, p.made = o.Source, !given && o.Puzzles != nil
	for i, subject := range p.subjects {
		subject.Number = i + 1
		p.list(subject)
	}
	if len(p.runs) == 0 {
		return nil, &OptionError{"", errors.New("with these levels there is nothing to run")}
	}
	return p, nil
}

// parse reads the levels of the factors, and returns them with the defaults of
// those that are missing.
func (p *Plan) parse(lists map[string]string) (map[string]string, error) {
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		if p.study.factor(name) < 0 {
			return nil, &OptionError{name, errors.New("the study has no such factor")}
		}
	}
	whole := map[string]string{}
	for i := range p.study.Factors {
		f := &p.study.Factors[i]
		levels := f.Default
		if list, ok := lists[f.Name]; ok {
			var err error
			if levels, err = f.parse(list); err != nil {
				return nil, &OptionError{f.Name, err}
			}
		}
		p.levels = append(p.levels, levels)
		whole[f.Name] = strings.Join(levels, ",")
	}
	return whole, nil
}

// An OptionError says what is wrong with an option.
type OptionError struct {
	Option string
	Err    error
}

func (e *OptionError) Error() string {
	if e.Option == "" {
		return e.Err.Error()
	}
	return "--" + e.Option + ": " + e.Err.Error()
}

func (e *OptionError) Unwrap() error { return e.Err }

// factor returns the number of the factor of that name, -1 if there is none.
func (s *Study) factor(name string) int {
	return slices.IndexFunc(s.Factors, func(f Factor) bool { return f.Name == name })
}

// list appends the runs of a subject. Runs that come to the same are done once.
func (p *Plan) list(subject *Subject) {
	known := map[string]bool{}
	at := make([]int, len(p.levels))
	for {
		r := &Run{plan: p, number: len(p.runs), subject: subject}
		for f, i := range at {
			r.levels = append(r.levels, p.levels[f][i])
		}
		if p.study.settle == nil || p.study.settle(r) {
			if key := strings.Join(r.levels, "\t"); !known[key] {
				known[key] = true
				p.runs = append(p.runs, r)
			}
		}
		f := len(at) - 1
		for ; f >= 0; f-- {
			if at[f]++; at[f] < len(p.levels[f]) {
				break
			}
			at[f] = 0
		}
		if f < 0 {
			return
		}
	}
}

// Len returns the number of runs.
func (p *Plan) Len() int { return len(p.runs) }

// level returns the level of a factor, which there must be.
func (r *Run) level(factor string) string { return r.levels[r.plan.study.factor(factor)] }

// set changes the level of a factor.
func (r *Run) set(factor, level string) { r.levels[r.plan.study.factor(factor)] = level }

// identity is what two plans share that are the same, as it stands in a file
// beside the rows.
type identity struct {
	Study     string              `json:"study"`
	Levels    map[string][]string `json:"levels"`
	Seed      uint64              `json:"seed"`
	Count     int                 `json:"count"` // as asked for
	Conflicts int64               `json:"conflicts"`
	Subjects  int                 `json:"subjects"`
	Runs      int                 `json:"runs"`
	Data      string              `json:"data"`   // a hash of the subjects
	Source    string              `json:"source"` // where they are from

	// Builds are those of the program that made rows. They do not tell plans apart.
	Builds []string `json:"builds,omitempty"`
}

// identity returns what tells the plan from others.
func (p *Plan) identity() identity {
	id := identity{Study: p.study.Name, Levels: p.namedLevels(), Seed: p.seed, Count: p.count, Conflicts: p.conflicts,
		Subjects: len(p.subjects), Runs: len(p.runs), Source: p.source}
	var texts []string
	for _, s := range p.subjects {
		texts = append(texts, s.Text)
	}
	id.Data = hash(texts)
	return id
}

// namedLevels returns the levels by the names of the factors.
func (p *Plan) namedLevels() map[string][]string {
	levels := map[string][]string{}
	for i, f := range p.study.Factors {
		levels[f.Name] = p.levels[i]
	}
	return levels
}

// hash returns a number that tells lists of texts apart.
func hash(texts []string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintln(h, text)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// equal reports whether the plans are the same, wherever their subjects are from
// and whoever did them.
func (id identity) equal(other identity) bool {
	id.Source, other.Source = "", ""
	id.Builds, other.Builds = nil, nil
	return fmt.Sprint(id) == fmt.Sprint(other)
}
