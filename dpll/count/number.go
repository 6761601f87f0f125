package count

import (
	"math"
	"math/big"
	"math/bits"
)

// Numbers of models. Each node of the search adds two numbers and multiplies a few, so that
// numbers below 2^128 must not allocate; larger ones are big.Ints. A weighted count is an
// integer, too: the two weights of a variable are multiplied by their common denominator, and
// the product of all denominators divides the final sum (see weights). That keeps fractions, and
// their greatest common divisors, out of the search.
//
// With Options.Float a number is a float64 in [1/2, 1) and a binary exponent, for weights of many
// digits: their exact sums have thousands of digits.

// A number is a count that is not negative. With a nil large it is hi<<64 + lo. A floating
// number has the bits of its fraction in hi, its exponent in lo, and is 0 if hi is 0.
type number struct {
	hi, lo uint64
	large  *big.Int // not below 2^128, and never changed
}

// arithmetic computes with numbers, exactly unless it is floating.
type arithmetic struct{ floating bool }

func (a arithmetic) small(n uint64) number {
	if a.floating {
		return floating(float64(n), 0)
	}
	return number{lo: n}
}

// fromInt returns n, and may keep it.
func (a arithmetic) fromInt(n *big.Int) number {
	switch {
	case a.floating:
		f, exponent := new(big.Float).SetInt(n), 0
		exponent = f.MantExp(f)
		x, _ := f.Float64()
		return floating(x, exponent)
	case n.BitLen() > 128:
		return number{large: n}
	}
	var b [16]byte
	n.FillBytes(b[:])
	var x number
	for _, c := range b {
		x.hi = x.hi<<8 | x.lo>>56
		x.lo = x.lo<<8 | uint64(c)
	}
	return x
}

// floating returns x times 2^exponent.
func floating(x float64, exponent int) number {
	if x == 0 {
		return number{}
	}
	f, e := math.Frexp(x)
	return number{hi: math.Float64bits(f), lo: uint64(int64(exponent + e))}
}

func (x number) zero() bool { return x.hi|x.lo == 0 && x.large == nil }

// int returns the value of an exact number.
func (x number) int() *big.Int {
	if x.large != nil {
		return x.large
	}
	n := new(big.Int).SetUint64(x.hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(x.lo))
}

// log10 returns the decimal logarithm, and -Inf for 0.
func (a arithmetic) log10(x number) float64 {
	if x.zero() {
		return math.Inf(-1)
	}
	if !a.floating {
		x = arithmetic{floating: true}.fromInt(x.int())
	}
	return math.Log10(math.Float64frombits(x.hi)) + float64(int64(x.lo))*math.Log10(2)
}

func (a arithmetic) add(x, y number) number {
	switch {
	case a.floating && x.zero():
		return y
	case a.floating && y.zero():
		return x
	case a.floating:
		ex, ey := int(int64(x.lo)), int(int64(y.lo))
		if ex < ey {
			x, y, ex, ey = y, x, ey, ex
		}
		return floating(math.Float64frombits(x.hi)+math.Ldexp(math.Float64frombits(y.hi), ey-ex), ex)
	case x.large == nil && y.large == nil:
		lo, carry := bits.Add64(x.lo, y.lo, 0)
		if hi, over := bits.Add64(x.hi, y.hi, carry); over == 0 {
			return number{hi: hi, lo: lo}
		}
	}
	return number{large: new(big.Int).Add(x.int(), y.int())}
}

func (a arithmetic) mul(x, y number) number {
	switch {
	case x.zero() || y.zero():
		return number{}
	case a.floating:
		return floating(math.Float64frombits(x.hi)*math.Float64frombits(y.hi), int(int64(x.lo))+int(int64(y.lo)))
	case x.large == nil && y.large == nil && x.hi == 0 && y.hi == 0:
		hi, lo := bits.Mul64(x.lo, y.lo)
		return number{hi: hi, lo: lo}
	case x.large == nil && x.hi == 0 && x.lo == 1:
		return y
	case y.large == nil && y.hi == 0 && y.lo == 1:
		return x
	}
	return a.fromInt(new(big.Int).Mul(x.int(), y.int()))
}

// shift returns x times 2^n.
func (a arithmetic) shift(x number, n int) number {
	switch {
	case x.zero() || n == 0:
		return x
	case a.floating:
		x.lo += uint64(n)
		return x
	case x.large == nil && x.hi == 0 && bits.Len64(x.lo)+n <= 64:
		return number{lo: x.lo << n}
	}
	return a.fromInt(new(big.Int).Lsh(x.int(), uint(n)))
}
