package sudoku

import (
	"strings"

	"sator/cmd/internal/animate"
	"sator/cmd/internal/cli"
	"sator/sudoku"
	"sator/sudoku/explain"
	sudokumaker "sator/sudoku/generate"
	"sator/sudoku/render"
	sudokusolve "sator/sudoku/solve"
	"sator/sudoku/text"
)

// The values of flags.

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

func formChoices() []cli.Choice {
	return cli.Of(text.InputFormats, func(f text.InputFormat) cli.Choice { return cli.Choice{Name: f.Name, Help: f.Help} })
}

func formatChoices() []cli.Choice {
	return cli.Of(text.OutputFormats, func(f text.OutputFormat) cli.Choice { return cli.Choice{Name: f.Name, Help: f.Help} })
}

func styleChoices() []cli.Choice {
	return cli.Of(render.Styles, func(s render.Style) cli.Choice { return cli.Choice{Name: s.Name, Help: s.Help} })
}

func filmChoices() []cli.Choice {
	return cli.Of(animate.Formats, func(f animate.Format) cli.Choice { return cli.Choice{Name: f.Name, Help: f.Help} })
}

// choiceHelp returns a list of choices for help texts. The descriptions begin at a column.
func choiceHelp(title string, choices []cli.Choice, column int) string {
	var b strings.Builder
	b.WriteString(title + ":\n")
	for _, c := range choices {
		cli.WriteEntry(&b, c.Name, c.Help, column)
	}
	return strings.TrimRight(b.String(), "\n")
}
