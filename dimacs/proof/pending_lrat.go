package proof

import (
	"context"

	"sator/dimacs"
)

type Checker struct{}

func NewChecker() *Checker                                      { panic("pending") }
func (c *Checker) Hints() bool                                  { return true }
func (c *Checker) Original(lits []dimacs.Lit) int64             { panic("pending") }
func (c *Checker) Learn(lits []dimacs.Lit, hints []int64) int64 { panic("pending") }
func (c *Checker) Delete(id int64, lits []dimacs.Lit)           { panic("pending") }
func (c *Checker) Err() error                                   { panic("pending") }
func (c *Checker) Refutes(assumptions []dimacs.Lit) error       { panic("pending") }
func (c *Checker) Lemmas() int                                  { panic("pending") }
func checkLRAT(ctx context.Context, f *dimacs.Formula, r *Reader, o *Options) (*Result, error) {
	panic("pending")
}
