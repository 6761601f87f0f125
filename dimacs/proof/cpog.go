package proof

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sator/dimacs"
)

// Certificates of counts in the format CPOG (Bryant, Nawrocki, Avigad and Heule, "Certified
// knowledge compilation with application to verified model counting", SAT 2023). A certificate
// defines a partitioned-operation graph: products of literals and nodes over disjoint variables, and sums
// of two of them that exclude each other. It proves that the root follows from the formula, by clauses that are RUP with
// hints, and that each clause of the formula follows from the root, by deleting it with the
// hints of a RUP proof from the remaining clauses: at the end the root alone. So the graph has
// the models of the formula, and one pass over it counts them:
//
//	C p NODE LITERALS 0          the product; its clauses are C and the following numbers
//	C s NODE L1 L2 0 HINTS 0     the sum; the hints prove that L1 and L2 are not both true
//	C a LITERALS 0 HINTS 0       a clause
//	d C HINTS 0                  the clause C is deleted
//	r NODE                       the root
//
// The hints of a sum must be clauses that define nodes. Nodes are numbered above the variables.

// A Count is the result of CheckCount.
type Count struct {
	Models  *big.Rat // the number of models, or the sum of their weights
	Nodes   int      // of the graph
	Clauses int      // asserted
}

// CheckCount checks a certificate of the number of models of f, and returns that number, or the sum
// of their weights. Literals without a weight have weight 1. The error is a [*CheckError] if the certificate is wrong, a
// [*dimacs.SyntaxError] if it is malformed, or that of src or ctx. Time and memory grow with the
// product of nodes and variables.
func CheckCount(ctx context.Context, f *dimacs.Formula, src io.Reader, name string, weights map[dimacs.Lit]*big.Rat) (*Count, error) {
	c := &cpog{name: name, vars: f.Vars(), nodes: map[int]*cpogNode{}, clauses: map[int]cpogClause{}, values: map[int]bool{}}
	c.scale(weights)
	for i, lits := range f.Clauses() {
		var ints []int
		for _, l := range lits {
			ints = append(ints, l.Int())
		}
		c.clauses[i+1] = cpogClause{lits: ints}
	}
	r := bufio.NewReaderSize(src, 1<<16)
	for {
		line, err := r.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		c.line++
		c.text, c.words = line, strings.Fields(line)
		if stepErr := c.step(); stepErr != nil {
			return nil, stepErr
		}
		if err == io.EOF {
			break
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return c.end()
}

// A cpogClause is a clause that is not deleted.
type cpogClause struct {
	lits     []int
	defining bool // it defines a node
}

// A cpogNode is a product or a sum.
type cpogNode struct {
	sum   bool
	args  []int
	vars  []uint64 // the set of variables below
	value *big.Int // over these variables, times their denominators
}

// cpog is the state of a check.
type cpog struct {
	name    string
	line    int
	text    string   // of the line
	words   []string // in it
	vars    int
	nodes   map[int]*cpogNode
	clauses map[int]cpogClause
	root    int
	lemmas  int
	values  map[int]bool // true literals during a RUP check
	weights []*big.Int   // by literal, times the denominator of the variable
	both    []*big.Int   // by variable: the sum of its weights
	scaled  *big.Int     // the product of the denominators
}

// malformed returns an error about a word of the line, or about its end.
func (c *cpog) malformed(word int, format string, args ...any) error {
	at := 0
	for i := range min(word+1, len(c.words)) {
		at += strings.Index(c.text[at:], c.words[i])
		if i < word {
			at += len(c.words[i])
		}
	}
	return &dimacs.SyntaxError{File: c.name, Line: c.line, Col: at + 1, Msg: fmt.Sprintf(format, args...)}
}

// short returns the error for a line that ends too early.
func (c *cpog) short(want string) error { return c.malformed(len(c.words), "want %s", want) }

// wrong returns an error about a step.
func (c *cpog) wrong(format string, args ...any) error {
	return &CheckError{Name: c.name, Place: Place{Line: c.line}, Msg: fmt.Sprintf(format, args...)}
}

// step checks a line.
func (c *cpog) step() error {
	words := c.words
	switch {
	case len(words) == 0 || words[0][0] == 'c':
		return nil
	case words[0] == "d" || words[0] == "dc":
		return c.remove()
	case words[0] == "r":
		return c.readRoot()
	case len(words) < 2:
		return c.malformed(0, "%s is not a step", strconv.Quote(words[0]))
	}
	id, err := strconv.Atoi(words[0])
	if err != nil || id <= 0 {
		return c.malformed(0, "%s is not the number of a clause", strconv.Quote(words[0]))
	}
	rest, err := c.numbers(2)
	if err != nil {
		return err
	}
	switch words[1] {
	case "a":
		return c.add(id, rest)
	case "p", "s":
		return c.operate(id, words[1] == "s", rest)
	}
	return c.malformed(1, "%s is not a kind of step: want a, p or s", strconv.Quote(words[1]))
}

// readRoot reads the line of the root.
func (c *cpog) readRoot() error {
	n, err := c.numbers(1)
	switch {
	case err != nil:
		return err
	case len(n) != 1:
		return c.short("one root")
	case c.root != 0:
		return c.wrong("the root is %d already", c.root)
	}
	c.root = n[0]
	return nil
}

// numbers returns the words from one on as numbers.
func (c *cpog) numbers(from int) ([]int, error) {
	n := make([]int, len(c.words)-from)
	for i, w := range c.words[from:] {
		x, err := strconv.ParseInt(w, 10, 32)
		if err != nil || x == math.MinInt32 {
			return nil, c.malformed(from+i, "%s is not a number", strconv.Quote(w))
		}
		n[i] = int(x)
	}
	return n, nil
}

// split returns the numbers up to the first 0, and the rest up to a last 0.
func (c *cpog) split(n []int) (lits, hints []int, err error) {
	i := slices.Index(n, 0)
	if i < 0 || len(n) == i+1 || n[len(n)-1] != 0 || slices.Contains(n[i+1:len(n)-1], 0) {
		return nil, nil, c.short("literals, 0, hints and 0")
	}
	return n[:i], n[i+1 : len(n)-1], nil
}

// known returns an error if one of the literals is of no variable and no node.
func (c *cpog) known(lits []int) error {
	for _, l := range lits {
		if v := max(l, -l); v == 0 || v > c.vars && c.nodes[v] == nil {
			return c.wrong("%d is neither a variable nor a node", v)
		}
	}
	return nil
}

// insert stores a clause under a number that is not used.
func (c *cpog) insert(id int, lits []int, defining bool) error {
	if _, used := c.clauses[id]; used {
		return c.wrong("the number %d of a clause is used twice", id)
	}
	c.clauses[id] = cpogClause{lits, defining}
	return nil
}

// add checks a clause.
func (c *cpog) add(id int, n []int) error {
	lits, hints, err := c.split(n)
	if err = errors.Join(err, c.known(lits)); err != nil {
		return err
	}
	if err := c.rup(lits, hints, false); err != nil {
		return err
	}
	c.lemmas++
	return c.insert(id, lits, false)
}

// remove checks that a clause follows from the others, and deletes it.
func (c *cpog) remove() error {
	n, err := c.numbers(1)
	if err != nil {
		return err
	}
	if len(n) < 2 || n[len(n)-1] != 0 {
		return c.short("a clause, hints and 0")
	}
	clause, ok := c.clauses[n[0]]
	if !ok || clause.defining {
		return c.wrong("the clause %d cannot be deleted: it is not there or defines a node", n[0])
	}
	delete(c.clauses, n[0])
	for i, l := range clause.lits {
		if slices.Contains(clause.lits[:i], -l) {
			return nil // a tautology
		}
	}
	return c.rup(clause.lits, n[1:len(n)-1], false)
}

// rup checks that unit propagation along the hints, under the complements of the literals, ends with a falsified
// clause.
func (c *cpog) rup(lits, hints []int, defining bool) error {
	clear(c.values)
	for _, l := range lits {
		if c.values[l] {
			return nil // a tautology
		}
		c.values[-l] = true
	}
	for _, h := range hints {
		clause, ok := c.clauses[h]
		if !ok || defining && !clause.defining {
			return c.wrong("the hint %d is not a clause, or not one that defines a node", h)
		}
		unit := 0
		for _, l := range clause.lits {
			switch {
			case c.values[-l] || l == unit:
			case c.values[l] || unit != 0:
				return c.wrong("the hint %d is neither unit nor falsified", h)
			default:
				unit = l
			}
		}
		if unit == 0 {
			return nil
		}
		c.values[unit] = true
	}
	return c.wrong("the hints do not end with a falsified clause")
}

// operate defines a product or a sum.
func (c *cpog) operate(id int, sum bool, n []int) error {
	if len(n) == 0 {
		return c.short("a node")
	}
	node := n[0]
	args, hints := n[1:], []int(nil)
	switch {
	case sum && len(args) < 3:
		return c.short("a sum of two literals")
	case sum && args[2] == 0: // with a 0 behind the literals
		args, hints = args[:2], args[3:]
	case sum:
		args, hints = args[:2], args[2:]
	case len(args) == 0 || args[len(args)-1] != 0:
		return c.short("0 at the end of the product")
	default:
		args = args[:len(args)-1]
	}
	if sum {
		if len(hints) == 0 || hints[len(hints)-1] != 0 {
			return c.short("0 at the end of the hints")
		}
		hints = hints[:len(hints)-1]
	}
	if err := c.known(args); err != nil {
		return err
	}
	if node <= c.vars || c.nodes[node] != nil {
		return c.wrong("%d is a variable or a node already", node)
	}
	x := &cpogNode{sum: sum, args: args}
	if sum {
		if err := c.rup([]int{-args[0], -args[1]}, hints, true); err != nil {
			return err
		}
	}
	if err := c.evaluate(x); err != nil {
		return err
	}
	c.nodes[node] = x
	return c.define(id, node, x)
}

// define adds the clauses of a node.
func (c *cpog) define(id, node int, x *cpogNode) error {
	sign := 1 // of the node in the long clause
	if x.sum {
		sign = -1
	}
	long := []int{sign * node}
	for _, l := range x.args {
		long = append(long, -sign*l)
	}
	err := c.insert(id, long, true)
	for i, l := range x.args {
		err = errors.Join(err, c.insert(id+i+1, []int{-sign * node, sign * l}, true))
	}
	return err
}

// evaluate computes the variables and the value of a node.
func (c *cpog) evaluate(x *cpogNode) error {
	sets := make([][]uint64, len(x.args))
	values := make([]*big.Int, len(x.args))
	for i, l := range x.args {
		sets[i], values[i] = c.argument(l)
		if x.vars == nil {
			x.vars = make([]uint64, (c.vars+63)/64)
		}
		for k, w := range sets[i] {
			if !x.sum && x.vars[k]&w != 0 {
				return c.wrong("the arguments of a product share the variable %d", 64*k+bits.TrailingZeros64(x.vars[k]&w)+1)
			}
			x.vars[k] |= w
		}
	}
	x.value = big.NewInt(1)
	if x.sum {
		x.value.SetInt64(0)
	}
	for i, v := range values {
		if x.sum {
			x.value.Add(x.value, c.widened(v, sets[i], x.vars))
		} else {
			x.value.Mul(x.value, v)
		}
	}
	return nil
}

// argument returns the variables and the value of a literal of a variable or a node.
func (c *cpog) argument(l int) ([]uint64, *big.Int) {
	v := max(l, -l)
	if v <= c.vars {
		set := make([]uint64, (c.vars+63)/64)
		set[(v-1)/64] |= 1 << ((v - 1) % 64)
		return set, c.weights[dimacs.FromInt(l)]
	}
	x := c.nodes[v]
	if l > 0 {
		return x.vars, x.value
	}
	all := c.widened(big.NewInt(1), nil, x.vars)
	return x.vars, all.Sub(all, x.value)
}

// scale makes weights integers: those of a variable are multiplied by their common denominator.
func (c *cpog) scale(weights map[dimacs.Lit]*big.Rat) {
	c.scaled = big.NewInt(1)
	for l := range dimacs.Lit(2 * c.vars) {
		w, other, d := weights[l], weights[l^1], big.NewInt(1)
		if w == nil {
			w = big.NewRat(1, 1)
		}
		if d.Set(w.Denom()); other != nil {
			d.Div(d.Mul(d, other.Denom()), new(big.Int).GCD(nil, nil, w.Denom(), other.Denom()))
		}
		n := new(big.Int).Div(d, w.Denom())
		if c.weights = append(c.weights, n.Mul(n, w.Num())); l.Neg() {
			c.both = append(c.both, new(big.Int).Add(c.weights[l^1], n))
			c.scaled.Mul(c.scaled, d)
		}
	}
}

// widened returns a value over some variables as one over more.
func (c *cpog) widened(v *big.Int, from, to []uint64) *big.Int {
	n := new(big.Int).Set(v)
	for k, w := range to {
		if from != nil {
			w &^= from[k]
		}
		for ; w != 0; w &= w - 1 {
			n.Mul(n, c.both[64*k+bits.TrailingZeros64(w)])
		}
	}
	return n
}

// end checks the remaining clauses, and returns the number.
func (c *cpog) end() (*Count, error) {
	c.line = 0
	if c.root == 0 {
		return nil, c.wrong("no line has the root")
	}
	if err := c.known([]int{c.root}); err != nil {
		return nil, err
	}
	proved := false
	for id, clause := range c.clauses {
		switch {
		case clause.defining:
		case len(clause.lits) == 1 && clause.lits[0] == c.root:
			proved = true
		default:
			return nil, c.wrong("the clause %d is left, so that the root may have models that the formula has not", id)
		}
	}
	if !proved {
		return nil, c.wrong("no clause has the root alone, so that it may lack models of the formula")
	}
	set, value := c.argument(c.root)
	all := make([]uint64, (c.vars+63)/64)
	for v := range c.vars {
		all[v/64] |= 1 << (v % 64)
	}
	if set == nil {
		set = make([]uint64, len(all))
	}
	models := new(big.Rat).SetFrac(c.widened(value, set, all), c.scaled)
	return &Count{Models: models, Nodes: len(c.nodes), Clauses: c.lemmas}, nil
}

// cpogLine is the form of a line that no other evidence has.
var cpogLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(\d+\s+[pas]|r)\s+-?\d`) })

// isCPOG reports whether a text begins like a certificate: after comments comes one of its lines. sure
// reports whether more of the text cannot change that.
func isCPOG(b []byte, whole bool) (is, sure bool) {
	for line := range bytes.Lines(b) {
		if !whole && !bytes.HasSuffix(line, []byte("\n")) && len(line) < 64 {
			return false, false
		}
		if t := bytes.TrimSpace(line); len(t) > 0 && t[0] != 'c' {
			return cpogLine().Match(line), true
		}
	}
	return false, whole
}
