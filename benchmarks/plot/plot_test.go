package plot

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestPictures writes the sample figures to the directory that SATOR_PLOTS names, to be looked at.
func TestPictures(t *testing.T) {
	dir := os.Getenv("SATOR_PLOTS")
	if dir == "" {
		t.Skip("SATOR_PLOTS names no directory")
	}
	for name, f := range sampleFigures() {
		var svg, png bytes.Buffer
		if err := f.SVG(&svg); err != nil {
			t.Fatal(err)
		}
		if err := f.PNG(&png); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), svg.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".png"), png.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
