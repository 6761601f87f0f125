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

// A Plan is the list of runs of a study: for each subject every combination of
// levels, the last factor changing fastest.
type Plan struct {
	study     *Study
	levels    [][]string // by factor: its levels
	seed      uint64
	count     int
	conflicts int64
	source    string
	made      bool // the subjects are puzzles generated for the plan
	subjects  []*Subject
	runs      []*Run
}

// A Run is one measurement of a plan.
type Run struct {
	plan    *Plan
	number  int // index in the plan
	subject *Subject
	levels  []string // by factor: the level of this run
}

// NewPlan generates the subjects and lists the runs. Invalid options are
// reported as an [*OptionError]. Other errors are those of ctx, of the
// generator, or of puzzles without a unique solution.
func NewPlan(ctx context.Context, s *Study, o Options) (*Plan, error) {
	p := &Plan{study: s, seed: o.Seed, conflicts: o.Conflicts}
	p.conflicts = limitOf(o.Conflicts, s.Conflicts)
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
		p.reusePuzzles(&o)
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
		return nil, &OptionError{"", errors.New("these levels have no valid combination")}
	}
	return p, nil
}

// limitOf returns a limit of the options: 0 stands for the default, and a negative
// number for no limit, which is 0.
func limitOf(option, standard int64) int64 {
	if option == 0 {
		return standard
	}
	return max(0, option)
}

// parse parses the levels of the factors. It returns them with defaults for
// missing factors.
func (p *Plan) parse(lists map[string]string) (map[string]string, error) {
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		if p.study.factor(name) < 0 {
			return nil, &OptionError{name, errors.New("unknown factor")}
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

// An OptionError is an invalid option.
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

// factor returns the index of a factor, or -1.
func (s *Study) factor(name string) int {
	return slices.IndexFunc(s.Factors, func(f Factor) bool { return f.Name == name })
}

// list appends the runs of a subject. Combinations of levels that normalize to
// the same run are listed once.
func (p *Plan) list(subject *Subject) {
	known := map[string]bool{}
	at := make([]int, len(p.levels))
	for {
		r := &Run{plan: p, number: len(p.runs), subject: subject}
		for f, i := range at {
			r.levels = append(r.levels, p.levels[f][i])
		}
		if p.study.normalize == nil || p.study.normalize(r) {
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

// level returns the level of a factor, which must exist.
func (r *Run) level(factor string) string { return r.levels[r.plan.study.factor(factor)] }

// set sets the level of a factor.
func (r *Run) set(factor, level string) { r.levels[r.plan.study.factor(factor)] = level }

// An identity identifies a plan. It is stored in a file beside the rows.
type identity struct {
	Study     string              `json:"study"`
	Levels    map[string][]string `json:"levels"`
	Seed      uint64              `json:"seed"`
	Count     int                 `json:"count"` // requested number of subjects
	Conflicts int64               `json:"conflicts"`
	Subjects  int                 `json:"subjects"`
	Runs      int                 `json:"runs"`
	Data      string              `json:"data"`   // hash of the subjects
	Source    string              `json:"source"` // origin of the subjects

	// Builds lists the builds of the program that made rows. It does not
	// distinguish plans.
	Builds []string `json:"builds,omitempty"`
}

// identity returns the identity of the plan.
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

// namedLevels returns the levels by factor name.
func (p *Plan) namedLevels() map[string][]string {
	levels := map[string][]string{}
	for i, f := range p.study.Factors {
		levels[f.Name] = p.levels[i]
	}
	return levels
}

// hash returns a hash of a list of texts.
func hash(texts []string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintln(h, text)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// equal reports whether two plans are the same, regardless of the origin of
// their subjects and of the builds.
func (id identity) equal(other identity) bool {
	id.Source, other.Source = "", ""
	id.Builds, other.Builds = nil, nil
	return fmt.Sprint(id) == fmt.Sprint(other)
}
