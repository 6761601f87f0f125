package commands

import (
	"fmt"
	"strings"
	"time"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/dimacs"
	"sator/twosat"
)

// The output of twosat: lines, a document or a drawing.

// end prints the answer and returns the exit code.
func (x *twosatRun) end() error {
	var err error
	switch {
	case x.o.draw != nil:
		err = x.draw()
	case x.JSON:
		err = cli.WriteJSON(x.Stdout, x.document())
	default:
		x.printLines()
		err = x.Out.Err
	}
	return answer.Exit(x.status, err)
}

// printLines prints the explanations and the answer.
func (x *twosatRun) printLines() {
	if x.o.stats {
		for _, row := range x.statistics().Rows() {
			x.Out.Comment("%s", row)
		}
	}
	x.printContradiction()
	if x.forced != nil {
		x.printForced()
		for _, r := range x.reasons {
			x.printReason(r)
		}
	}
	x.Comment("%s", x.remark())
	m := dimacs.Model(nil)
	if x.status == dimacs.Satisfiable && !x.o.noModel {
		m = x.in.Complete(x.model)
	}
	x.Out.Answer(x.status, m)
}

// printContradiction prints the explanation of a refutation.
func (x *twosatRun) printContradiction() {
	switch {
	case x.status != dimacs.Unsatisfiable:
	case len(x.failed) == 0 && len(x.conflict.Chain) == 0:
		x.Out.Comment("contradiction: clause %d is empty", x.conflict.Empty+1)
	case len(x.failed) == 0:
		x.printChain("contradiction: ", x.conflict)
	case x.conflict == nil:
		x.Out.Comment("contradiction: the assumptions %s are complements", cli.Spaced(x.failed))
	default:
		x.printChain("contradiction: ", x.conflict)
	}
}

// printChain prints a chain, and a line with the clause of each step.
func (x *twosatRun) printChain(what string, e *twosat.Explanation) {
	var b strings.Builder
	fmt.Fprintln(&b, cli.WrapText(what+e.Chain.String(), lineWidth))
	for _, s := range e.Steps {
		fmt.Fprintf(&b, "  %v\n", s)
	}
	x.Out.Comment("%s", &b)
}

// lineWidth is the width of "c" lines with lists, without the "c ".
const lineWidth = 76

// printForced prints the answers to --forced and --equivalent.
func (x *twosatRun) printForced() {
	if x.o.forced {
		x.printLiterals("forced ", x.forced.Lits())
	}
	if x.o.equivalent {
		for _, class := range x.forced.Classes() {
			x.printLiterals("equivalent ", class)
		}
	}
}

// printLiterals prints literals on as many lines as necessary, with a 0 at the end.
func (x *twosatRun) printLiterals(what string, ls []dimacs.Lit) {
	var b []byte
	line := 0 // start of the line in b
	for i := range len(ls) + 1 {
		word := "0"
		if i < len(ls) {
			word = ls[i].String()
		}
		if i > 0 && len(b)-line+len(word) >= lineWidth {
			b[len(b)-1] = '\n'
			line = len(b)
		}
		if line == len(b) {
			b = append(b, "c "+what...)
		}
		b = append(append(b, word...), ' ')
	}
	b[len(b)-1] = '\n'
	x.Out.Gather(b)
}

// printReason prints the answer to --why for a literal.
func (x *twosatRun) printReason(r *twosat.Reason) {
	switch r.Value {
	case dimacs.Unassigned:
		x.Out.Comment("why %v: it is true in some solutions and false in others", r.Lit)
	case dimacs.False:
		x.printChain(fmt.Sprintf("why %v: it is false in every solution, ", r.Lit), r.Why)
	default:
		x.printChain(fmt.Sprintf("why %v: ", r.Lit), r.Why)
	}
}

// reason returns why the status is unknown.
func (x *twosatRun) reason() string {
	if x.Err() == nil && x.status == dimacs.Unknown {
		return fmt.Sprintf("the clauses of up to two literals have a model; ignored: %s", cli.Count(x.longer, "longer clause"))
	}
	return x.Why()
}

// remark returns the comment before the answer.
func (x *twosatRun) remark() string {
	after := fmt.Sprintf("after %.2f s", time.Since(x.Begin).Seconds())
	switch {
	case x.status == dimacs.Unknown && x.model != nil:
		return "no answer " + after + ": " + x.reason()
	case x.status == dimacs.Unknown:
		return "stopped " + after + ": " + x.reason()
	case x.status == dimacs.Satisfiable:
		return "model found and checked " + after
	}
	return answer.RefutedRemark(after, x.o.assume, x.failed)
}

// statistics returns the values that --stats prints.
func (x *twosatRun) statistics() engines.Properties {
	if x.solver == nil {
		return nil
	}
	ps := x.engineStatistics()
	return append(ps, engines.Property{Name: "read_seconds", Value: x.in.Took.Seconds()}, engines.Property{Name: "solve_seconds", Value: x.solveTime.Seconds()},
		engines.Property{Name: "ask_seconds", Value: x.questionTime.Seconds()}, engines.Property{Name: "total_seconds", Value: time.Since(x.Begin).Seconds()},
		engines.Property{Name: "memory_megabytes", Value: cli.Megabytes(cli.Memory())})
}

// engineStatistics returns the statistics of the engine.
func (x *twosatRun) engineStatistics() engines.Properties {
	if x.solver == nil {
		return nil
	}
	ps := x.stats.List()
	if f := x.forced; f != nil {
		ps = append(ps, engines.Property{Name: "literals_forced", Value: len(f.Lits())}, engines.Property{Name: "variables_free", Value: x.free()},
			engines.Property{Name: "core", Value: f.Core}, engines.Property{Name: "searches", Value: f.Searches}, engines.Property{Name: "blocks", Value: f.Blocks})
	}
	return ps
}

// free returns the number of variables that are not forced.
func (x *twosatRun) free() int { return x.in.Formula.Vars() - len(x.forced.Lits()) }

// A twosatDocument is the output of --json; the help text describes it.
type twosatDocument struct {
	Version       string             `json:"version"`
	Status        string             `json:"status"`
	Reason        string             `json:"reason,omitempty"`
	Model         []int              `json:"model,omitzero"`
	Failed        []int              `json:"failed_assumptions,omitzero"`
	Contradiction *chainDoc          `json:"contradiction,omitempty"`
	Forced        []int              `json:"forced,omitzero"`
	Free          *int               `json:"free_variables,omitempty"`
	Equivalent    [][]int            `json:"equivalent,omitzero"`
	Why           []reasonDoc        `json:"why,omitzero"`
	Files         []string           `json:"files"`
	Variables     int                `json:"variables"`
	Clauses       int                `json:"clauses"`
	Longer        int                `json:"longer_clauses"`
	Times         twosatTimes        `json:"times"`
	Memory        int64              `json:"memory"`
	Statistics    engines.Properties `json:"statistics"`
}

// A reasonDoc is the answer to --why for a literal.
type reasonDoc struct {
	Literal int       `json:"literal"`
	Holds   string    `json:"holds"`
	Why     *chainDoc `json:"because,omitempty"`
}

// A chainDoc is a chain with its clauses.
type chainDoc struct {
	Chain   []int     `json:"chain"`
	Clauses []stepDoc `json:"clauses"`
}

type stepDoc struct {
	Number   int   `json:"number,omitempty"`
	Literals []int `json:"literals"`
}

// twosatTimes are durations in seconds.
type twosatTimes struct {
	Read  float64 `json:"read"`
	Solve float64 `json:"solve"`
	Ask   float64 `json:"ask"`
	Total float64 `json:"total"`
}

func (x *twosatRun) document() *twosatDocument {
	d := &twosatDocument{
		Version:    cli.Version(),
		Status:     x.status.String(),
		Files:      x.o.files,
		Longer:     x.longer,
		Times:      twosatTimes{Solve: x.solveTime.Seconds(), Ask: x.questionTime.Seconds(), Total: time.Since(x.Begin).Seconds()},
		Memory:     cli.Memory(),
		Statistics: x.engineStatistics(),
	}
	if x.status == dimacs.Unknown {
		d.Reason = x.reason()
	}
	if x.in != nil {
		d.Variables, d.Clauses, d.Times.Read = x.in.Formula.Vars(), x.in.Formula.Len(), x.in.Took.Seconds()
	}
	switch x.status {
	case dimacs.Satisfiable:
		if !x.o.noModel {
			d.Model = dimacs.Ints(x.in.Complete(x.model).Lits())
		}
	case dimacs.Unsatisfiable:
		if len(x.o.assume) > 0 {
			d.Failed = dimacs.Ints(x.failed)
		}
		d.Contradiction = documentChain(x.conflict)
	}
	x.documentForced(d)
	return d
}

// documentForced adds the answers to --forced, --equivalent and --why.
func (x *twosatRun) documentForced(d *twosatDocument) {
	if x.forced == nil {
		return
	}
	if x.o.forced {
		free := x.free()
		d.Forced, d.Free = dimacs.Ints(x.forced.Lits()), &free
	}
	if x.o.equivalent {
		d.Equivalent = [][]int{}
		for _, class := range x.forced.Classes() {
			d.Equivalent = append(d.Equivalent, dimacs.Ints(class))
		}
	}
	for _, r := range x.reasons {
		holds := map[dimacs.Value]string{dimacs.True: "always", dimacs.False: "never", dimacs.Unassigned: "sometimes"}[r.Value]
		d.Why = append(d.Why, reasonDoc{r.Lit.Int(), holds, documentChain(r.Why)})
	}
}

// documentChain returns an explanation as a document, and nil for nil.
func documentChain(e *twosat.Explanation) *chainDoc {
	if e == nil {
		return nil
	}
	d := &chainDoc{Chain: dimacs.Ints(e.Chain), Clauses: []stepDoc{}}
	for _, s := range e.Steps {
		d.Clauses = append(d.Clauses, stepDoc{s.Index + 1, dimacs.Ints(s.Clause)})
	}
	if len(e.Chain) == 0 {
		d.Clauses = append(d.Clauses, stepDoc{e.Empty + 1, []int{}})
	}
	return d
}

// draw writes the drawing of the implication graph with the chains highlighted.
func (x *twosatRun) draw() error {
	if x.solver == nil {
		return x.Err()
	}
	var chains []twosat.Chain
	if x.conflict != nil {
		chains = append(chains, x.conflict.Chain)
	}
	for _, r := range x.reasons {
		if r.Why != nil {
			chains = append(chains, r.Why.Chain)
		}
	}
	d, err := x.solver.Draw(x.o.condensed, chains...)
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cli.ShownAll(x.o.files), ", "), err)
	}
	d.Caption = fmt.Sprintf("%s: %s", strings.Join(cli.ShownAll(x.o.files), ", "), strings.ToLower(x.status.String()))
	if x.longer > 0 {
		d.Caption += fmt.Sprintf(", without %s", cli.Count(x.longer, "longer clause"))
	}
	return x.o.draw(d, x.Stdout)
}
