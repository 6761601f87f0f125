package engines

import (
	"testing"

	"sator/cmd/internal/record"
	"sator/dpll/cdcl"
)

// TestStatisticsAreRecorded checks that the statistics of documents and of recordings have the
// same names.
func TestStatisticsAreRecorded(t *testing.T) {
	st := cdcl.Stats{XORUnits: 7}
	recorded := record.Stats(&st)
	fields := FieldsOf(&st)
	if len(fields) != len(recorded) {
		t.Errorf("%d fields, of which %d are recorded", len(fields), len(recorded))
	}
	for _, p := range fields {
		if recorded[p.Name] != p.Value {
			t.Errorf("%s is %v, and %v in recordings", p.Name, p.Value, recorded[p.Name])
		}
	}
	if recorded["xor_units"] != int64(7) {
		t.Errorf("xor_units are %v", recorded["xor_units"])
	}
}
