package versus

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// The JSON document has the numbers of the report, and null instead of NaN.
func TestWriteJSON(t *testing.T) {
	runs := randomRuns(rand.New(rand.NewPCG(17, 18)), 2, 20)
	p := NewReport(runs, nil, "", CPU)
	var b bytes.Buffer
	if err := p.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	type span struct{ Value, Low, High *float64 }
	var got struct {
		Summary []string
		Limit   float64
		Solvers []struct {
			Solver string
			Solved int
			PAR2   span
		}
		VirtualBest struct{ PAR2 span } `json:"virtual_best"`
		Pairs       []struct{ P, Holm float64 }
		Families    []struct{ Files int }
		Notes       []string
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Summary) != 3 || got.Limit != 10 || len(got.Solvers) != 2 || len(got.Pairs) != 1 || got.Pairs[0].P != p.Pairs[0].P || len(got.Families) == 0 || got.Notes == nil {
		t.Errorf("%s", b.String())
	}
	for i, row := range p.Rows {
		if x := got.Solvers[i]; x.Solver != row.Solver || x.Solved != row.Solved() || *x.PAR2.Value != row.PAR2.Value || *x.PAR2.High != row.PAR2.High {
			t.Errorf("%+v; want %+v", x, row)
		}
	}
	if *got.VirtualBest.PAR2.Low != p.Best.PAR2.Low {
		t.Errorf("%v", *got.VirtualBest.PAR2.Low)
	}
	p = NewReport([]Run{rec("a", "1", Satisfiable, Checked, 1), rec("b", "2", Satisfiable, Checked, 1)}, nil, "", CPU)
	if !math.IsNaN(p.Rows[0].PAR2.Value) {
		t.Fatal("a report without common files has a PAR-2")
	}
	b.Reset()
	if err := p.WriteJSON(&b); err != nil || !bytes.Contains(b.Bytes(), []byte(`"value": null`)) {
		t.Errorf("error %v:\n%s", err, b.String())
	}
}
