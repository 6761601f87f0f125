package report_test

import (
	"fmt"
	"strings"

	"sator/benchmarks/report"
)

// The module is served as a file, or set into a page.
func ExampleCharts() {
	fmt.Println(strings.Contains(report.Charts, "export class RunCharts"))
	// Output: true
}
