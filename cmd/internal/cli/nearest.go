package cli

import "strings"

// nearest returns the one of the names that somebody who wrote another most
// likely meant, whatever the case: with at most two letters wrong, and no more
// than half of them, or else with the same first three. It is empty if there is
// none.
func nearest(written string, names []string) string {
	written = strings.ToLower(written)
	best, least := "", min(2, len(written)/2)+1
	for _, name := range names {
		if d := distance(written, strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	if best != "" || len(written) < 3 {
		return best
	}
	for _, name := range names {
		if strings.HasPrefix(strings.ToLower(name), written[:3]) {
			return name
		}
	}
	return ""
}

// distance is the least number of bytes to insert, delete or replace, or of
// neighbors to swap, that makes a of b, where no part is changed twice. The
// time and the space are the product of the lengths.
func distance(a, b string) int {
	d := make([][]int, len(a)+1) // between the first i bytes of a and j of b
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
				continue
			}
			d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], 1+d[i-2][j-2])
			}
		}
	}
	return d[len(a)][len(b)]
}

// didYouMean asks for a name, or says nothing if there is none.
func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return "Did you mean \"" + name + "\"?"
}
