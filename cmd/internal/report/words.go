package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Numbers as they stand in tables and sentences.

// count returns a number with its thousands separated.
func count[N int | int64 | float64](n N) string {
	s := strconv.FormatFloat(math.Abs(math.Round(float64(n))), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n < 0 && s != "0" {
		return "−" + s
	}
	return s
}

// counted returns a number with a noun, in the plural unless the number is 1.
func counted[N int | int64](n N, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		return count(n) + " " + noun + "es"
	}
	return count(n) + " " + noun + "s"
}

// decimal returns a number with about three digits.
func decimal(x float64) string {
	switch a := math.Abs(x); {
	case a >= 1000:
		return count(x)
	case a >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// seconds returns a time.
func seconds(t float64) string {
	switch {
	case t >= 6000:
		return fmt.Sprintf("%d h %02d min", int(t)/3600, int(t)%3600/60)
	case t > 0 && t < 0.1:
		return decimal(1000*t) + " ms"
	}
	return decimal(t) + " s"
}

// percent returns a share.
func percent(x float64) string {
	switch {
	case x > 0 && x < 0.001:
		return "< 0.1 %"
	case x < 0.1:
		return strconv.FormatFloat(100*x, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(100*x, 'f', 0, 64) + " %"
}

// fraction returns a share, in words where they are shorter.
func fraction(x float64) string {
	switch {
	case math.Abs(x-1./2) < 0.02:
		return "half"
	case math.Abs(x-1./3) < 0.01:
		return "a third"
	case math.Abs(x-1./4) < 0.01:
		return "a quarter"
	}
	return percent(x)
}

// memory returns an amount of memory.
func memory(n int64) string {
	switch {
	case n >= 1<<30:
		return decimal(float64(n)/(1<<30)) + " GB"
	case n >= 1<<20:
		return decimal(float64(n)/(1<<20)) + " MB"
	}
	return decimal(float64(n)/(1<<10)) + " kB"
}

// sentence returns clauses of a sentence as a sentence.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
