package circuit

import "fmt"

// An Unrolling is a combinational copy of a sequential circuit for each point of time: the
// latches of a frame are the next values of the frame before, and the latches of frame 0 are
// their resets. It has only the gates that the signals asked for depend on (cone of influence), and
// constants of the resets simplify them.
type Unrolling struct {
	Graph *Graph // the copies; callers may add gates

	g      *Graph
	port   []int32    // by node of g: the index of its input, or of its latch after all inputs
	frames [][]Signal // by node of g: one more than its copy, or 0
	stack  []moment   // scratch
}

// A moment is a node of a frame.
type moment struct {
	t int
	n uint32
}

// Unroll returns an unrolling of g. Gates that are added to g later are not in it.
func (g *Graph) Unroll() *Unrolling {
	u := &Unrolling{Graph: New(), g: g, port: make([]int32, len(g.nodes))}
	for i, p := range g.Inputs {
		u.port[p.Signal.node()] = int32(i)
	}
	for i, l := range g.Latches {
		u.port[l.Signal.node()] = int32(len(g.Inputs) + i)
	}
	return u
}

// At returns the copy of a signal of g in frame t, from 0. A frame takes 4 bytes for each
// node of g.
func (u *Unrolling) At(t int, s Signal) Signal {
	for len(u.frames) <= t {
		frame := make([]Signal, len(u.g.nodes))
		frame[0] = False + 1
		u.frames = append(u.frames, frame)
	}
	u.copy(moment{t, s.node()})
	return u.frames[t][s.node()] - 1 ^ s&1
}

// Reached returns the copy of a signal in frame t if [Unrolling.At] needed it.
func (u *Unrolling) Reached(t int, s Signal) (Signal, bool) {
	if t >= len(u.frames) || u.frames[t][s.node()] == 0 {
		return 0, false
	}
	return u.frames[t][s.node()] - 1 ^ s&1, true
}

// copy copies a node and all that it depends on.
func (u *Unrolling) copy(top moment) {
	u.stack = append(u.stack[:0], top)
	for len(u.stack) > 0 {
		m := u.stack[len(u.stack)-1]
		if u.frames[m.t][m.n] == 0 && !u.copied(m) {
			continue // the nodes that it depends on are on the stack now
		}
		u.stack = u.stack[:len(u.stack)-1]
	}
}

// copied copies a node after its inputs. It pushes inputs without a copy and returns false.
func (u *Unrolling) copied(m moment) bool {
	frame, x := u.frames[m.t], u.g.nodes[m.n]
	inputs := len(u.g.Inputs)
	switch i := int(u.port[m.n]); {
	case u.g.isAnd(m.n):
		a, b := frame[x.a.node()], frame[x.b.node()]
		if a == 0 || b == 0 {
			u.push(m.t, x.a, a)
			u.push(m.t, x.b, b)
			return false
		}
		frame[m.n] = u.Graph.and(a-1^x.a&1, b-1^x.b&1) + 1
	case i < inputs:
		frame[m.n] = u.Graph.Input(at(u.g.Inputs[i].Name, m.t)) + 1
	case m.t > 0:
		next := u.g.Latches[i-inputs].Next
		before := u.frames[m.t-1][next.node()]
		if before == 0 {
			u.push(m.t-1, next, 0)
			return false
		}
		frame[m.n] = (before - 1 ^ next&1) + 1
	case u.g.Latches[i-inputs].Reset == Free:
		frame[m.n] = u.Graph.Input(at(u.g.Latches[i-inputs].Name, 0)) + 1
	default:
		frame[m.n] = u.g.Latches[i-inputs].Reset + 1
	}
	return true
}

// push pushes the node of a signal unless it has a copy.
func (u *Unrolling) push(t int, s, copied Signal) {
	if copied == 0 {
		u.stack = append(u.stack, moment{t, s.node()})
	}
}

// at returns the name of an input in a frame, NAME@T.
func at(name string, t int) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%s@%d", name, t)
}
