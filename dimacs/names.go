package dimacs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Names are names of variables. In files, each is a comment with the variable and one word,
// as feature models have them:
//
//	c 1 door
//	c 2 motor.on
//
// Comments with more words than that are no names. A name is not a number and contains no
// blanks, and its first character is no minus sign, so that -door is the negated literal. No
// two variables have the same name. The zero Names are empty.
type Names struct {
	names map[Var]string
	vars  map[string]Var
}

// Add gives a variable a name. It returns an error if the variable has another name, if another
// variable has this name, or if the text is no name.
func (n *Names) Add(v Var, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if old, ok := n.names[v]; ok && old != name {
		return fmt.Errorf("variable %d has the name %q already", v.Int(), old)
	}
	if old, ok := n.vars[name]; ok && old != v {
		return fmt.Errorf("variable %d has the name %q already", old.Int(), name)
	}
	if n.names == nil {
		n.names, n.vars = map[Var]string{}, map[string]Var{}
	}
	n.names[v], n.vars[name] = name, v
	return nil
}

// checkName returns an error if the text is no name.
func checkName(name string) error {
	_, err := strconv.Atoi(name)
	if name == "" || err == nil || name[0] == '-' || strings.ContainsAny(name, " \t\r\n,") {
		return fmt.Errorf("%q is not a name: a name is not a number, does not begin with a minus sign, and has no blanks or commas", name)
	}
	return nil
}

// Len returns the number of names.
func (n *Names) Len() int { return len(n.names) }

// Name returns the name of a variable, or its number if it has no name.
func (n *Names) Name(v Var) string {
	if name, ok := n.names[v]; ok {
		return name
	}
	return strconv.Itoa(v.Int())
}

// Var returns the variable of a name.
func (n *Names) Var(name string) (Var, bool) {
	v, ok := n.vars[name]
	return v, ok
}

// Text returns the name of a literal: that of its variable, with a minus sign if it is negated.
func (n *Names) Text(l Lit) string {
	if l.Neg() {
		return "-" + n.Name(l.Var())
	}
	return n.Name(l.Var())
}

// Vars returns the variables that have names, in ascending order.
func (n *Names) Vars() []Var {
	vars := make([]Var, 0, len(n.names))
	for v := range n.names {
		vars = append(vars, v)
	}
	slices.Sort(vars)
	return vars
}

// Renamed returns the names with other variables, which must be distinct.
func (n *Names) Renamed(to func(Var) Var) *Names {
	renamed := new(Names)
	for v, name := range n.names {
		if err := renamed.Add(to(v), name); err != nil {
			panic("dimacs: " + err.Error())
		}
	}
	return renamed
}

// Comments returns the lines of the names as comments for [Write].
func (n *Names) Comments() []string {
	var lines []string
	for _, v := range n.Vars() {
		lines = append(lines, fmt.Sprint(v.Int(), " ", n.names[v]))
	}
	return lines
}

// nameOf reads the name of a comment whose first word, after the c, is a variable. Comments
// without a second word, or with more, are left alone.
func (p *parser) nameOf(word string) error {
	at := p.Mark
	number, err := strconv.ParseInt(word, 10, 64)
	if err != nil || number < 1 {
		return nil
	}
	p.Gap()
	nameAt := p.Mark
	name := strings.TrimRight(p.Rest(), " \t")
	switch {
	case name == "" || strings.ContainsAny(name, " \t"):
		return nil
	case number > MaxVars:
		return p.errorAt(at, "variable %s is above the limit of %d variables", word, MaxVars)
	}
	if err := p.names.Add(Var(number-1), name); err != nil {
		return p.errorAt(nameAt, "%v", err)
	}
	if number > int64(p.highNamed) {
		p.highNamed, p.namedAt = int(number), at
	}
	return nil
}

// endNames returns an error for a name of a variable that the formula does not have. A relaxed
// reader warns.
func (p *parser) endNames() error {
	if p.highNamed > p.f.Vars() {
		return p.forgive(highName, p.errorAt(p.namedAt, "the name of variable %d, but there are %d variables", p.highNamed, p.f.Vars()))
	}
	return nil
}
