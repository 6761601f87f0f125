package dimacs

import (
	"bytes"
	"testing"
)

// TestAppendModel compares AppendModel with WriteSolution, also at line breaks.
func TestAppendModel(t *testing.T) {
	values := []Value{True, False, Unassigned, True, False}
	var m Model
	for n := range 400 {
		var want bytes.Buffer
		if err := WriteSolution(&want, Satisfiable, append(Model{}, m...)); err != nil {
			t.Fatal(err)
		}
		got := AppendModel([]byte("s SATISFIABLE\n"), m)
		if string(got) != want.String() {
			t.Fatalf("got\n%swant\n%s", got, want.String())
		}
		m = append(m, values[n*n%len(values)])
	}
}
