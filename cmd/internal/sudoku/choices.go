package sudoku

import (
	"sator/cmd/internal/cli"
	"sator/sudoku"
	"sator/sudoku/explain"
	sudokumaker "sator/sudoku/generate"
	sudokusolve "sator/sudoku/solve"
)

// The values of flags, for shells.

func encodingChoices() []cli.Choice {
	return cli.Of(sudoku.Encodings, func(e sudoku.Encoding) cli.Choice { return cli.Choice{Name: e.Name, Help: e.Help} })
}

func amoChoices() []cli.Choice {
	return cli.Of(sudoku.AtMostOnes, func(a sudoku.AtMostOne) cli.Choice { return cli.Choice{Name: a.Name, Help: a.Help} })
}

func numberingChoices() []cli.Choice {
	return cli.Of(sudoku.Numberings, func(n sudoku.Numbering) cli.Choice { return cli.Choice{Name: n.Name, Help: n.Help} })
}

func rateEncodingChoices() []cli.Choice { return cli.Names(explain.RateEncodings()...) }

func engineChoices() []cli.Choice {
	return cli.Of(sudokusolve.Engines, func(e sudokusolve.Engine) cli.Choice { return cli.Choice{Name: e.Name, Help: e.Help} })
}

func symmetryChoices() []cli.Choice {
	return cli.Of(sudokumaker.Symmetries, func(s *sudokumaker.Symmetry) cli.Choice { return cli.Choice{Name: s.Name, Help: s.Help} })
}
