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

// What a conquest is divided into are values, so that a unit of work can be
// written down or sent away, and its result be read later or elsewhere.

// Literals are written in JSON as DIMACS writes them.
type Literals []dimacs.Lit

// MarshalJSON implements [json.Marshaler].
func (ls Literals) MarshalJSON() ([]byte, error) {
	ns := make([]int, len(ls))
	for i, l := range ls {
		ns[i] = l.Int()
	}
	return json.Marshal(ns)
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

// A Task is a unit of work: is there a model of the formula in which the literals
// of the cube are true?
type Task struct {
	Formula string   `json:"formula"` // see [Checksum]
	Cube    Literals `json:"cube"`
	Budget  int64    `json:"budget,omitempty"` // conflicts; 0 is no limit
}

// A Result is what became of a task. Its status is Satisfiable, with a model;
// Unsatisfiable, with those literals of the cube that the formula excludes; or
// Unknown, when the budget did not suffice. Then the cube is split into two by a
// literal, or has a larger budget next time.
type Result struct {
	Formula   string        `json:"formula"`
	Cube      Literals      `json:"cube"`
	Status    dimacs.Status `json:"status"`
	Failed    Literals      `json:"failed,omitempty"`
	Model     Literals      `json:"model,omitempty"`
	Split     Literals      `json:"split,omitempty"` // the literal, if it was split
	Conflicts int64         `json:"conflicts"`
	Seconds   float64       `json:"seconds"`

	// Clause is the id in the proof, if there is one, of the clause that says that
	// the failed literals exclude each other, and Proof is how far the proof has
	// come with it.
	Clause int64          `json:"clause,omitempty"`
	Proof  *ProofPosition `json:"proof,omitempty"`
}

// A ProofPosition is how much there is of a proof.
type ProofPosition struct {
	Bytes int64 `json:"bytes"`
	Last  int64 `json:"last"` // id
}

// decisive reports whether a result is the answer for the whole formula.
func (r *Result) decisive() bool {
	return r.Status == dimacs.Satisfiable || r.Status == dimacs.Unsatisfiable && len(r.Failed) == 0
}

// check returns an error if a result says nothing of a formula with this checksum
// and so many variables, or contradicts itself.
func (r *Result) check(checksum string, vars int) error {
	switch {
	case r.Formula != checksum:
		return errors.New("a result of another formula")
	case r.Status == dimacs.Unsatisfiable:
		for _, l := range r.Failed {
			if !contains(r.Cube, l) {
				return fmt.Errorf("%v is said to have failed, and is not in the cube", l)
			}
		}
	case len(r.Split) > 1 || len(r.Split) == 1 && (contains(r.Cube, r.Split[0]) || contains(r.Cube, r.Split[0]^1)):
		return errors.New("a cube is split by something else than a literal that it leaves open")
	}
	for _, ls := range []Literals{r.Cube, r.Model, r.Split} {
		for _, l := range ls {
			if int(l>>1) >= vars {
				return fmt.Errorf("there is no variable %d", l.Var().Int())
			}
		}
	}
	return nil
}

// Checksum returns a checksum of the clauses of a formula in their order, and of
// its number of variables.
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
