package cdcl

// An ema is an exponential moving average (EMA) with bias correction as in Kingma
// and Ba, "Adam", ICLR 2015: the uncorrected average starts at zero, so that n samples
// have a weight of 1-(1-alpha)^n, by which the average is divided.
//
// Products are converted to float64 so that no compiler fuses them with the sums: the
// averages decide restarts, and runs must be the same on every machine.
type ema struct {
	value  float64 // corrected
	biased float64
	alpha  float64
	exp    float64 // (1-alpha)^n, 0 once it is too small to matter
}

func newEMA(window int) ema {
	return ema{alpha: 1 / float64(window), exp: 1}
}

func (e *ema) update(x float64) {
	e.biased += float64(e.alpha * (x - e.biased))
	if e.exp == 0 {
		e.value = e.biased
		return
	}
	e.exp *= 1 - e.alpha
	if e.exp < 1e-12 {
		e.exp = 0
	}
	e.value = e.biased / (1 - e.exp)
}
