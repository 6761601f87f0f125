package answer

import (
	"cmp"
	"fmt"
	"strings"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

// header prints the version and, with --verbose, the options that the command line sets, and the
// legend of report lines.
func (j *Job) header(legend []string) {
	j.Comment("%s %s", j.ProgramName(), cli.Version())
	j.Preface(j.Reports.Comment, j.givenOptions(), legend)
	if j.Profile != nil {
		j.Comment("recording profile %s", j.Profile.File)
	}
	if j.Typing && j.Options.Files[0] == "-" {
		j.Note("reading from the terminal; Ctrl-D ends the formula")
	}
}

// givenOptions returns the options that the command line sets, by flags or by presets.
func (j *Job) givenOptions() []string {
	set := map[string]bool{}
	for _, name := range cli.GivenFlags(j.Flags) {
		set[name] = true
		set[strings.TrimPrefix(name, "no-")] = true // --no-sharing is sharing false
		for _, p := range cdcl.Presets {
			for _, s := range p.Settings {
				if p.Name == name {
					set[s.Knob] = true
				}
			}
		}
	}
	var list []string
	for _, p := range j.options() {
		if set[strings.ReplaceAll(p.Name, "_", "-")] {
			list = append(list, fmt.Sprintf("%s %v", p.Name, p.Value))
		}
	}
	return list
}

// printInput prints the names and the size of the input.
func (j *Job) printInput() {
	cubes := ""
	if j.Input.Script {
		cubes = fmt.Sprintf(", %s", cli.Count(len(j.Input.Cubes), "cube"))
	}
	j.Comment("%s%s", j.Input.Summary(j.Options.Files), cubes)
}

// PrintEngine prints the engine if it was chosen by the formula, or has a reason.
func (j *Job) PrintEngine() {
	c := j.Options.Choice
	switch {
	case c.Why != "":
		j.Comment("engine %s: %s", c.Engine, c.Why)
	case c.Engine != j.Options.Engine.Name:
		j.Comment("engine %s", c.Engine)
	}
}

// printResult prints the answer.
func (j *Job) printResult() error {
	if j.JSON {
		return cli.WriteJSON(j.Stdout, j.document())
	}
	if j.Options.Stats {
		for _, row := range j.statistics().Rows() {
			j.Out.Comment("%s", row)
		}
	}
	j.Comment("%s", j.remark())
	if j.Input != nil {
		for _, c := range j.Input.Comments {
			j.Comment("%s", c)
		}
	}
	for _, f := range j.Files {
		j.Comment("%s", f.Summary())
	}
	switch {
	case j.verified:
		j.Comment("verified")
	case j.Status == dimacs.Unsatisfiable && j.Evidence.Unchecked != "":
		j.Comment("not verified: %s", j.Evidence.Unchecked)
	}
	var m dimacs.Model
	if j.Status == dimacs.Satisfiable && !j.Options.NoModel {
		m = j.Input.Complete(j.Model)
	}
	if j.Input != nil && j.Input.Source != nil && !j.Options.NoModel {
		return j.printSource()
	}
	j.Out.Answer(j.Status, m)
	return j.Out.Err
}

// printSource prints the answer in the format of the source.
func (j *Job) printSource() error {
	if j.Status != dimacs.Satisfiable {
		if err := j.translate(); err != nil {
			return err
		}
	}
	j.Out.Line(strings.TrimSuffix(string(j.answer), "\n"))
	return j.Out.Err
}

// remark returns the comment before the answer.
func (j *Job) remark() string {
	after := fmt.Sprintf("after %.2f s", j.total.Seconds())
	switch {
	case j.Status == dimacs.Unknown:
		return "stopped " + after + ": " + cmp.Or(j.Why(), "no reason known")
	case j.Status == dimacs.Satisfiable:
		return "model found and checked " + after
	}
	return RefutedRemark(after, j.Options.Assume, j.Failed)
}

// RefutedRemark returns the comment before an unsatisfiable answer.
func RefutedRemark(after string, assumptions, failed []dimacs.Lit) string {
	switch {
	case len(failed) == 2 && failed[0] == failed[1].Not():
		return "refuted " + after + ": the assumptions " + cli.Spaced(failed) + " contradict each other"
	case len(failed) > 0:
		return "refuted " + after + ": the formula excludes the assumptions " + cli.Spaced(failed)
	case len(assumptions) > 0:
		return "refuted " + after + ", without any assumption"
	}
	return "refuted " + after
}
