package proof

import (
	"context"

	"sator/dimacs"
)

func checkDRAT(ctx context.Context, f *dimacs.Formula, r *Reader, o *Options) (*Result, error) {
	panic("pending")
}
