package engines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"

	"sator/cmd/internal/record"
)

// A Property is a named value of options or statistics. Names are in lower case
// with underscores, as in JSON documents.
type Property struct {
	Name  string
	Value any
}

// Text returns the value as text.
func (p Property) Text() string {
	if x, ok := p.Value.(float64); ok {
		if strings.HasSuffix(p.Name, "_seconds") {
			return fmt.Sprintf("%.4f", x)
		}
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprint(p.Value)
}

// Row returns the line of the property that --stats prints.
func (p Property) Row() string {
	return fmt.Sprintf("%-20s %15s", strings.ReplaceAll(p.Name, "_", " "), p.Text())
}

// Properties are a JSON object with ordered members.
type Properties []Property

// groups has the headings of the statistics of the engine cdcl, by the first property of each group.
var groups = map[string]string{
	"conflicts": "search", "look_aheads": "look-ahead, lucky phases and local search", "exported": "exchange", "rounds": "simplification",
	"vars": "formula", "tier1": "averages", "pass_share": "effort",
}

// shown matches the names of properties that --stats prints even if they are 0.
var shown = regexp.MustCompile(`^(thread_\d+_)?(conflicts|decisions|propagations|restarts|rounds|vars|fixed|removed)$|_seconds?$`)

// Rows returns the lines of --stats: the properties in groups, without counters that are 0.
func (ps Properties) Rows() []string {
	var rows []string
	heading := ""
	for _, p := range ps {
		if g, ok := groups[p.Name]; ok && ps[0].Name == "conflicts" {
			heading = g
		}
		if reflect.ValueOf(p.Value).IsZero() && !shown.MatchString(p.Name) {
			continue
		}
		if heading != "" {
			rows, heading = append(rows, "\n"+heading), ""
		}
		rows = append(rows, p.Row())
	}
	return rows
}

func (ps Properties) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i, p := range ps {
		value, err := json.Marshal(number(p.Value))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%q:%s", p.Name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// number returns nil (null) for a float without JSON form, such as the mean of no
// values.
func number(v any) any {
	if x, ok := v.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
		return nil
	}
	return v
}

// FieldsOf returns the fields of the struct that s points to, in order, by the names of
// [record.Name].
func FieldsOf(s any) Properties {
	var ps Properties
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		ps = append(ps, Property{record.Name(v.Type().Field(i).Name), v.Field(i).Interface()})
	}
	return ps
}
