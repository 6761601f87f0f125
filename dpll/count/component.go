package count

import (
	"math/rand/v2"
	"slices"
)

// Residual components. Two unassigned variables are connected if a given clause that is not
// satisfied has both. The components of a component are found by a walk over its variables and
// long clauses in linear time: clauses that were satisfied when the component was made are not looked
// at. Components of open calls are on a stack, as in sharpSAT.

// A component is a range of structure.members: its variables, then the numbers of its long clauses.
type component struct {
	vars, clauses, end int // positions
	key                key
	counted            bool // it has a counted variable
}

// structure has the given clauses as components see them, and the stack of components.
type structure struct {
	neighbors [][]uint32 // by variable: the variables that share a clause of two literals with it
	occs      [][]uint32 // by variable: the numbers of its long clauses
	refs      []ref      // of long clauses, by number
	varKeys   []key
	longKeys  []key
	counted   []bool    // by variable
	frequency []float32 // by variable: its occurrences in its component
	sorted    bool      // components are sorted, so that equal ones have equal members

	members    []uint32
	parts      []component
	varMarks   []uint32 // by variable: visited if equal to mark
	longMarks  []uint32 // by long clause: mark if in the component and not visited
	mark       uint32
	queue      []uint32
	foundLongs []uint32
	steps      int64 // neighbors and clauses looked at
}

func (t *structure) init(vars int, seed uint64) {
	t.neighbors, t.occs = make([][]uint32, vars), make([][]uint32, vars)
	t.frequency, t.varMarks = make([]float32, vars), make([]uint32, vars)
	t.varKeys = randomKeys(vars, seed)
}

// randomKeys returns keys for Zobrist hashing.
func randomKeys(n int, seed uint64) []key {
	r := rand.New(rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24), byte(n), byte(n >> 8), byte(n >> 16)}))
	keys := make([]key, n)
	for i := range keys {
		keys[i] = key{r.Uint64(), r.Uint64()}
	}
	return keys
}

// addPair adds a clause of two variables.
func (t *structure) addPair(v, w uint32) {
	t.neighbors[v] = append(t.neighbors[v], w)
	t.neighbors[w] = append(t.neighbors[w], v)
}

// finish removes duplicates when all clauses were added.
func (t *structure) finish(seed uint64) {
	for v := range t.neighbors {
		slices.Sort(t.neighbors[v])
		t.neighbors[v] = slices.Compact(t.neighbors[v])
	}
	t.longKeys, t.longMarks = randomKeys(len(t.refs), seed), make([]uint32, len(t.refs))
}

// addLong adds a longer clause.
func (t *structure) addLong(r ref, c []lit) {
	for _, l := range c {
		t.occs[l>>1] = append(t.occs[l>>1], uint32(len(t.refs)))
	}
	t.refs = append(t.refs, r)
}

// begin prepares a walk over the component.
func (t *structure) begin(c component) {
	if t.mark += 2; t.mark < 2 {
		clear(t.varMarks)
		clear(t.longMarks)
		t.mark = 2
	}
	for _, n := range t.members[c.clauses:c.end] {
		t.longMarks[n] = t.mark
	}
}

// explore pushes the component of the unassigned variable v. It returns false if v is alone: no
// clause needs it.
func (t *structure) explore(e *engine, v uint32) bool {
	t.queue, t.foundLongs = append(t.queue[:0], v), t.foundLongs[:0]
	t.varMarks[v], t.frequency[v] = t.mark, 0
	for i := 0; i < len(t.queue); i++ {
		v := t.queue[i]
		t.steps += int64(len(t.neighbors[v]) + len(t.occs[v]))
		for _, w := range t.neighbors[v] {
			if e.vals[2*w] != 0 {
				continue
			}
			t.frequency[v]++
			t.visit(w)
		}
		for _, n := range t.occs[v] {
			if t.longMarks[n] == t.mark {
				t.longMarks[n]++
				t.exploreLong(e, n)
			}
		}
	}
	if len(t.queue) == 1 && len(t.foundLongs) == 0 {
		return false
	}
	t.push()
	return true
}

func (t *structure) visit(v uint32) {
	if t.varMarks[v] != t.mark {
		t.varMarks[v], t.frequency[v] = t.mark, 0
		t.queue = append(t.queue, v)
	}
}

// exploreLong visits the variables of a long clause unless it is satisfied.
func (t *structure) exploreLong(e *engine, n uint32) {
	c := e.lits(t.refs[n])
	for _, l := range c {
		if e.vals[l] > 0 {
			return
		}
	}
	t.foundLongs = append(t.foundLongs, n)
	for _, l := range c {
		if e.vals[l] == 0 {
			t.visit(l >> 1)
			t.frequency[l>>1]++
		}
	}
}

// push adds the component that was explored to the stack.
func (t *structure) push() {
	if t.sorted {
		slices.Sort(t.queue)
		slices.Sort(t.foundLongs)
	}
	c := component{vars: len(t.members), counted: t.counted == nil}
	for _, v := range t.queue {
		c.key = c.key.xor(t.varKeys[v])
		c.counted = c.counted || t.counted[v]
	}
	for _, n := range t.foundLongs {
		c.key = c.key.xor(t.longKeys[n])
	}
	t.members = append(t.members, t.queue...)
	c.clauses = len(t.members)
	t.members = append(t.members, t.foundLongs...)
	c.end = len(t.members)
	t.parts = append(t.parts, c)
}
