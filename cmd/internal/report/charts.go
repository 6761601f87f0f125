package report

import _ "embed"

// Charts is the source of the module that draws a recording as charts, an ES module
// without dependencies. It exports
//
//	class RunCharts { constructor(element, options); push(line); end(); }
//
// where line is a line of the recording, parsed, and ChartGroup, by which the charts of
// several recordings share their axes. The comment at its head describes the options.
//
//go:embed assets/charts.js
var Charts string
