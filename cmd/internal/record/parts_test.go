package record

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestParts changes each part of a recording. Each change makes another recording, a warning
// or an error: no part is skipped in silence.
func TestParts(t *testing.T) {
	type row struct{ part, text string }
	sample := text(full()...)
	lines := strings.SplitAfter(sample, "\n")
	rows := []row{
		{"first line", strings.Join(lines[1:], "")},
		{"last line", strings.Join(lines[:len(lines)-2], "")},
		{"second line twice", lines[0] + lines[1] + strings.Join(lines[1:], "")},
		{"order", lines[0] + lines[2] + lines[1] + strings.Join(lines[3:], "")},
		{"line behind the end", sample + lines[2]},
		{"text behind the end", sample + "more\n"},
		{"line of an unknown type", lines[0] + `{"t":"new"}` + "\n" + strings.Join(lines[1:], "")},
		{"comment", "# comment\n" + sample},
		{"byte order mark", "\ufeff" + sample},
	}
	for _, m := range regexp.MustCompile(`"([a-z0-9_]+)":(.)`).FindAllStringSubmatchIndex(sample, -1) {
		name, value := sample[m[2]:m[3]], sample[m[4]]
		where := fmt.Sprintf("%s at byte %d", name, m[0])
		rows = append(rows, row{"name of " + where, sample[:m[2]] + "other" + sample[m[3]:]},
			row{"member before " + where, sample[:m[0]] + `"more":1,` + sample[m[0]:]})
		switch {
		case value == '"':
			rows = append(rows, row{where, sample[:m[5]] + "z" + sample[m[5]:]})
		case '0' <= value && value <= '9':
			rows = append(rows, row{where, sample[:m[4]] + "1" + sample[m[4]:]})
		}
	}
	if len(rows) < 400 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, row := range rows {
		all, err := Read("run.jsonl", strings.NewReader(row.text))
		if err == nil && len(all.Warnings) == 0 && reflect.DeepEqual(all.Lines, full()) {
			t.Errorf("%s: the change has no effect in\n%s", row.part, row.text)
		}
	}
}
