package dimacs

import "strconv"

// AppendModel appends to b the "v" lines of m in the form of [WriteSolution].
// It is for programs that print many models.
func AppendModel(b []byte, m Model) []byte {
	b = append(b, 'v')
	column := 1
	number := func(n int) {
		at := len(b)
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(n), 10)
		if column += len(b) - at; column > lineLen {
			column = 1 + len(b) - at
			b = append(b, 0, 0)
			copy(b[at+2:], b[at:])
			b[at], b[at+1] = '\n', 'v'
		}
	}
	for v, x := range m {
		switch x {
		case True:
			number(v + 1)
		case False:
			number(-v - 1)
		}
	}
	number(0)
	return append(b, '\n')
}
