package record

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestSchema compares the tables of dpll/docs/recording.md with the types.
func TestSchema(t *testing.T) {
	page, err := os.ReadFile("../../dpll/docs/recording.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(page), fmt.Sprintf("# Recordings of runs, version %d\n", Version)) {
		t.Errorf("the page does not begin with version %d", Version)
	}
	documented, seen := tables(string(page)), map[string]bool{}
	for _, make := range types {
		l := make()
		compareTable(t, documented, seen, l.Type(), reflect.TypeOf(l).Elem())
		if !strings.Contains(string(page), "\n| `"+l.Type()+"` | ") {
			t.Errorf("the list of types lacks %s", l.Type())
		}
	}
	for name := range documented {
		if !seen[name] {
			t.Errorf("the page has a table %s without a type", name)
		}
	}
}

// tables returns the rows of the tables of members by heading: "name: type". The meaning of
// each row must not be empty.
func tables(page string) map[string][]string {
	all := map[string][]string{}
	heading := ""
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "##") {
			heading = strings.TrimLeft(line, "# ")
		}
		cells := strings.Split(line, " | ")
		if name, is := strings.CutPrefix(cells[0], "| `"); is && len(cells) == 3 && heading != "" && len(strings.Trim(cells[2], " |")) > 0 {
			all[heading] = append(all[heading], strings.TrimSuffix(name, "`")+": "+cells[1])
		}
	}
	return all
}

// compareTable compares the table of a type, and those of the structures in it that are not
// seen yet.
func compareTable(t *testing.T, documented map[string][]string, seen map[string]bool, heading string, of reflect.Type) {
	seen[heading] = true
	var want []string
	for i := range of.NumField() {
		f := of.Field(i)
		name, optional, _ := strings.Cut(f.Tag.Get("json"), ",")
		kind := jsonType(f.Type)
		if optional == "omitempty" {
			kind += ", optional"
		}
		want = append(want, name+": "+kind)
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && !seen[inner.Name()] {
			compareTable(t, documented, seen, inner.Name(), inner)
		}
	}
	if got := documented[heading]; !reflect.DeepEqual(got, want) {
		t.Errorf("table %s has the members\n%s\nwant\n%s", heading, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// jsonType returns the JSON type of a Go type as on the page.
func jsonType(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	case reflect.Pointer:
		return jsonType(of.Elem())
	case reflect.Slice:
		return "array of " + jsonType(of.Elem()) + "s"
	case reflect.Array:
		return fmt.Sprintf("array of %d %ss", of.Len(), jsonType(of.Elem()))
	case reflect.Map:
		if of.Elem().Kind() != reflect.Interface {
			return "object of " + jsonType(of.Elem()) + "s"
		}
	}
	return "object"
}
