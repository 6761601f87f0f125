package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Formats by the names of output files. A suffix selects the format, unless a flag such as
// --format does. A suffix that stands for a format which the command cannot write is an
// error; one that stands for no format, as in "answer.1", is not.

// suffixes lists the formats of files that programs of this field write, with their suffixes.
// A suffix may stand for several formats; the first that a command can write counts. Formats
// that no command writes are there so that their suffixes are refused.
var suffixes = []struct{ format, list string }{
	{"cnf", ".cnf .dimacs"},
	{"units", ".cnf"},
	{"icnf", ".icnf"},
	{"aag", ".aag"},
	{"aig", ".aig"},
	{"drat", ".drat"},
	{"lrat", ".lrat"},
	{"proof", ".proof .pf"},
	{"cpog", ".cpog"},
	{"c2d", ".nnf .ddnnf"},
	{"d4", ".d4"},
	{anyText, ".txt .text"},
	{"json", ".json .jsonl .ndjson"},
	{"lines of json", ".jsonl .ndjson"},
	{"csv", ".csv"},
	{"markdown", ".md .markdown"},
	{"html", ".html .htm"},
	{"dot", ".dot .gv"},
	{"svg", ".svg"},
	{"png", ".png"},
	{"gif", ".gif"},
	{"sdk", ".sdk"},
	{"sdm", ".sdm"},
	{"ss", ".ss"},
	{"latex", ".tex"},
	{"unicode", ".utf8"},
	{"ansi", ".ansi"},

	{"another formula", ".wcnf .gcnf .qdimacs .qcnf .opb .wbo .lp .mps .smt2 .smt .btor .btor2"},
	{"another proof", ".frat .drup .drpr .dpr .grat .pbp .veripb .tracecheck"},
	{"another puzzle", ".opensudoku .ksudoku .sdx .sud"},
	{"picture", ".pdf .ps .eps .jpg .jpeg .webp .bmp .tif .tiff .ico .mp4 .webm .avi .apng"},
	{"table", ".tsv .xls .xlsx .ods .parquet"},
	{"document", ".xml .yaml .yml .toml .doc .docx .odt .rtf"},
}

// anyText stands for a text of any format. Its suffixes select no format.
const anyText = "text"

// written are the extensions of compressed files that are written.
var written = []string{".gz", ".xz", ".zst", ".zstd"}

// AllSuffixes returns the suffixes of all formats.
func AllSuffixes() (all []string) {
	for _, row := range suffixes {
		all = append(all, strings.Fields(row.list)...)
	}
	return all
}

// Suffixes returns the suffixes of formats, in the order of the formats.
func Suffixes(formats ...string) (all []string) {
	for _, format := range formats {
		for _, row := range suffixes {
			if row.format == format {
				all = append(all, strings.Fields(row.list)...)
			}
		}
	}
	return all
}

// A FileFlag is a flag for the name of an output file or directory.
type FileFlag struct {
	*cli.StringFlag

	// Formats are the formats that the command writes. The flag --output has the formats of --format too. A directory has no format.
	Formats []string

	// By is the flag that selects the format whatever the name is. It may be empty.
	By string
}

// Writes returns a flag with the name of an output file.
func Writes(f *cli.StringFlag, formats ...string) *FileFlag {
	return &FileFlag{StringFlag: f, Formats: formats}
}

// Writable returns all formats that a flag of a command with these flags can write.
func (f *FileFlag) Writable(flags []cli.Flag) []string {
	if choice, is := Find(flags, "format").(*ChoiceFlag); is && f.Name == "output" {
		return slices.Concat(choiceNames(choice.Choices()), f.Formats)
	}
	return f.Formats
}

// checkNames returns an error if the suffix of an output file stands for a format that the command cannot write. Its flags have the values of the command line.
func checkNames(flags []cli.Flag, values map[string]string) error {
	for _, flag := range flags {
		f, is := flag.(*FileFlag)
		if !is {
			continue
		}
		name, given := values[f.Name]
		_, selected := values[f.By]
		if !given || selected || f.By == "format" && values["json"] == "true" {
			continue
		}
		if err := CheckName(f.Name, name, f.Writable(flags)...); err != nil {
			return err
		}
	}
	return nil
}

// CheckName returns an error if the suffix of an output file, which is the value of a flag,
// stands for another format than those, or for a compression that is not written.
func CheckName(flag, name string, formats ...string) error {
	var want []string
	for _, format := range formats {
		if s := Suffixes(format); len(s) > 0 && !slices.Contains(want, s[0]) {
			want = append(want, s[0])
		}
	}
	last := strings.ToLower(filepath.Ext(name))
	switch ext := Extension(name); {
	case IsPacking(last) && !slices.Contains(written, last):
		return Invalid(flag, name, "a compression that is written: %s", OneOf(written))
	case !slices.Contains(AllSuffixes(), ext), slices.Contains(Suffixes(formats...), ext):
		return nil
	case len(formats) == 0:
		return Invalid(flag, name, "a directory, not a %s file", ext)
	}
	return Invalid(flag, name, "a name that ends with %s", OneOf(want))
}

// FormatByName returns the first of some formats for which the suffix of a name stands, or "".
func FormatByName(name string, formats []string) string {
	ext := Extension(name)
	for _, row := range suffixes {
		if row.format != anyText && slices.Contains(formats, row.format) && slices.Contains(strings.Fields(row.list), ext) {
			return row.format
		}
	}
	return ""
}

// fileSuffixes returns the suffixes with which a file of a flag is completed; none for any.
func fileSuffixes(f cli.Flag) []string {
	out, is := f.(*FileFlag)
	if !is || out.Name == "output" || len(out.Formats) == 0 {
		return nil
	}
	list := Suffixes(slices.DeleteFunc(slices.Clone(out.Formats), func(s string) bool { return s == anyText })...)
	return append(list, written[:3]...)
}
