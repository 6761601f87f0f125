package journal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"sator/dpll/portfolio"
)

// Read returns the identity and the results of a run, without its formula and without
// changing the directory, for example for statistics. It compares the checksums of the
// lines, and not the proof. An incomplete last line is ignored, so that a run under way
// can be read. The error of a damaged line has its file and number.
func Read(dir string) (Identity, []portfolio.Result, error) {
	name := filepath.Join(dir, resultsName)
	data, err := os.ReadFile(name)
	if err != nil {
		return Identity{}, nil, err
	}
	var h header
	var results []portfolio.Result
	sum := checksum{}
	for number := 1; ; number++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole && number > 1 {
			return h.Identity, results, nil
		}
		var r portfolio.Result
		value := any(&r)
		if number == 1 {
			value = &h
		}
		if sum, err = readLine(line, sum, value); err != nil {
			return Identity{}, nil, fmt.Errorf("%s: line %d: %w", name, number, err)
		}
		switch {
		case number > 1:
			results = append(results, r)
		case h.Journal != headerName || h.Version != version:
			return Identity{}, nil, fmt.Errorf("%s: want results of %s, version %d", name, headerName, version)
		}
		data = rest
	}
}
