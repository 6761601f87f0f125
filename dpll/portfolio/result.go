package portfolio

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"sator/dimacs"
)

// Tasks and results of a cube-and-conquer run are values with a JSON form, so that a
// program can store them or send them to another machine.

// Literals are literals whose JSON form is an array of DIMACS integers.
type Literals []dimacs.Lit

// MarshalJSON implements [json.Marshaler].
func (ls Literals) MarshalJSON() ([]byte, error) {
	return json.Marshal(dimacs.Ints(ls))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (ls *Literals) UnmarshalJSON(b []byte) error {
	var ns []int
	if err := json.Unmarshal(b, &ns); err != nil {
		return err
	}
	*ls = make(Literals, len(ns))
	for i, n := range ns {
		if n == 0 || n > dimacs.MaxVars || n < -dimacs.MaxVars {
			return fmt.Errorf("%d is not a literal", n)
		}
		(*ls)[i] = dimacs.FromInt(n)
	}
	return nil
}

// A Task is a unit of work: to decide whether the formula has a model in which the
// literals of the cube are true.
type Task struct {
	Formula string   `json:"formula"` // see [Checksum]
	Cube    Literals `json:"cube"`
	Budget  int64    `json:"budget,omitempty"` // conflicts; 0 is no limit
}

// A Result is the result of a task. Status is Satisfiable, with a model; Unsatisfiable,
// with the failed literals of the cube; or Unknown. In the last case the budget is used
// up, and the cube is split into two by a literal, or the worker was stopped.
type Result struct {
	Formula   string        `json:"formula"`
	Cube      Literals      `json:"cube"`
	Status    dimacs.Status `json:"status"`
	Failed    Literals      `json:"failed,omitempty"`
	Model     Literals      `json:"model,omitempty"`
	Split     Literals      `json:"split,omitempty"` // the literal by which the cube is split, or empty
	Conflicts int64         `json:"conflicts"`
	Seconds   float64       `json:"seconds"`

	// Clause is the id in the proof of the clause that negates the failed literals, or
	// 0 without a proof.
	Clause int64 `json:"clause,omitempty"`

	// Proof is the end of the proof after this result, or nil without a proof.
	Proof *ProofPosition `json:"proof,omitempty"`
}

// A ProofPosition is a position between two steps of a proof.
type ProofPosition struct {
	Bytes int64 `json:"bytes"` // before the position
	Last  int64 `json:"last"`  // id of the last clause before the position

	// Sum is a checksum of the bytes before the position, or empty.
	Sum string `json:"sum,omitempty"`
}

// decisive reports whether a result is an answer for the whole formula.
func (r *Result) decisive() bool {
	return r.Status == dimacs.Satisfiable || r.Status == dimacs.Unsatisfiable && len(r.Failed) == 0
}

// check returns an error if a result contradicts itself, or is not about a formula with
// this checksum and number of variables.
func (r *Result) check(checksum string, vars int) error {
	switch {
	case r.Formula != checksum:
		return errors.New("the checksum of its formula differs")
	case r.Status != dimacs.Satisfiable && r.Status != dimacs.Unsatisfiable && r.Status != dimacs.Unknown:
		return fmt.Errorf("unknown status %d", int(r.Status))
	case r.Status == dimacs.Unsatisfiable:
		for _, l := range r.Failed {
			if !contains(r.Cube, l) {
				return fmt.Errorf("the failed literal %v is not in the cube", l)
			}
		}
	case len(r.Split) > 1 || len(r.Split) == 1 && (contains(r.Cube, r.Split[0]) || contains(r.Cube, r.Split[0]^1)):
		return fmt.Errorf("the cube is split by %v: want one literal of a variable that is not in the cube", r.Split)
	}
	for _, ls := range []Literals{r.Cube, r.Model, r.Split} {
		for _, l := range ls {
			if int(l>>1) >= vars {
				return fmt.Errorf("the formula has no variable %d", l.Var().Int())
			}
		}
	}
	return nil
}

// Checksum returns a checksum of the number of variables of a formula and of its
// clauses in their order.
func Checksum(f *dimacs.Formula) string {
	h := sha256.New()
	b := binary.LittleEndian.AppendUint32(nil, uint32(f.Vars()))
	for _, c := range f.Clauses() {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(c)))
		for _, l := range c {
			b = binary.LittleEndian.AppendUint32(b, uint32(l))
		}
		if len(b) >= 1<<16 {
			h.Write(b)
			b = b[:0]
		}
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}
