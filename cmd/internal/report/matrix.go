package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// matrixCells is the number of rows of the picture, if there are so many variables.
const matrixCells = 160

// shades are the opacities of cells, by the logarithm of their weight.
var shades = []float64{0.18, 0.4, 0.7, 1}

// Matrix draws the adjacency matrix of the variables in the order of their communities, as
// SVG in the color of the text. The communities on the diagonal have frames.
func (p *Partition) Matrix() template.HTML {
	var order []int
	for v, c := range p.Community {
		if c >= 0 {
			order = append(order, v)
		}
	}
	if len(order) == 0 {
		return ""
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.Community[a] - p.Community[b] })
	place := make([]int, len(p.Community))
	for i, v := range order {
		place[v] = i
	}
	n := min(len(order), matrixCells)
	cells := make([]int64, n*n)
	most := int64(0)
	for _, e := range p.edges {
		i, j := place[e.a]*n/len(order), place[e.b]*n/len(order)
		cells[i*n+j] += e.weight
		if i != j {
			cells[j*n+i] += e.weight
		}
		most = max(most, cells[i*n+j])
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="matrix" viewBox="0 0 %d %d" role="img" aria-label="%s" shape-rendering="crispEdges">`, n, n, p.label())
	for level, opacity := range shades {
		fmt.Fprintf(&b, `<path fill="currentColor" fill-opacity="%g" d="`, opacity)
		writeCells(&b, cells, n, func(w int64) bool { return w > 0 && shade(w, most) == level })
		b.WriteString(`"/>`)
	}
	p.frames(&b, n, len(order))
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// label describes the picture for readers who do not see it.
func (p *Partition) label() string {
	return fmt.Sprintf("Adjacency matrix of the variables, ordered by %s; modularity %.2f", communities(len(p.Sizes)), p.Modularity)
}

func communities(n int) string {
	if n == 1 {
		return "1 community"
	}
	return count(n) + " communities"
}

// shade returns the index of the opacity of a cell.
func shade(w, most int64) int {
	if most <= 1 {
		return len(shades) - 1
	}
	return min(len(shades)-1, int(float64(len(shades))*math.Log(float64(w))/math.Log(float64(most))))
}

// writeCells writes the path of the cells that are shown, a rectangle for each run in a row.
func writeCells(b *strings.Builder, cells []int64, n int, shown func(int64) bool) {
	for i := range n {
		for j := 0; j < n; j++ {
			first := j
			for j < n && shown(cells[i*n+j]) {
				j++
			}
			if j > first {
				fmt.Fprintf(b, "M%d %dh%dv1h-%d", first, i, j-first, j-first)
			}
		}
	}
}

// frames draws a square around each community that has more than two rows.
func (p *Partition) frames(b *strings.Builder, n, vars int) {
	first := 0
	for _, size := range p.Sizes {
		from, to := float64(first*n)/float64(vars), float64((first+size)*n)/float64(vars)
		if to-from > 2 {
			fmt.Fprintf(b, `<rect class="frame" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, from, from, to-from, to-from)
		}
		first += size
	}
}
