package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

func svgOf(t *testing.T, f *Figure) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.SVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t *testing.T, f *Figure) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.PNG(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPictures writes the sample figures to the directory named by SATOR_PLOTS, for inspection.
func TestPictures(t *testing.T) {
	dir := os.Getenv("SATOR_PLOTS")
	if dir == "" {
		t.Skip("SATOR_PLOTS is not set")
	}
	for name, f := range sampleFigures() {
		for suffix, data := range map[string][]byte{".svg": svgOf(t, f), ".png": pngOf(t, f)} {
			if err := os.WriteFile(filepath.Join(dir, name+suffix), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestDeterministic draws every figure twice, from data generated twice.
func TestDeterministic(t *testing.T) {
	again := sampleFigures()
	for name, f := range sampleFigures() {
		svg := svgOf(t, f)
		if !bytes.Equal(svg, svgOf(t, again[name])) || !bytes.Equal(svg, svgOf(t, f)) {
			t.Errorf("%s: different SVGs of the same data", name)
		}
		if testing.Short() {
			continue
		}
		if !bytes.Equal(pngOf(t, f), pngOf(t, again[name])) {
			t.Errorf("%s: different PNGs of the same data", name)
		}
	}
}

// textsOf returns all text of an SVG, which must be well-formed XML.
func textsOf(t *testing.T, svg []byte) []string {
	t.Helper()
	var texts []string
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := token.(xml.CharData); ok && strings.TrimSpace(string(c)) != "" {
			texts = append(texts, string(c))
		}
	}
}

func TestTexts(t *testing.T) {
	for name, want := range map[string][]string{
		"boxes":  {"Jeroslow-Wang two-sided", "21", "29", "backtracks", "1000", "0"},
		"versus": {"limit", "0.01", "minisat, CPU seconds"},
		"within": {"median of 60 puzzles", "givens added"},
		"cactus": {"gophersat", "limit", "instances solved"},
		"phase":  {"Effort", "Answers", "4.267", "0.2", "n = 200, median"},
		"names":  {"threshold", "line of the figure and is broken into two of them"},
	} {
		texts := textsOf(t, svgOf(t, sampleFigures()[name]))
		for _, w := range want {
			found := false
			for _, text := range texts {
				found = found || text == w
			}
			if !found {
				t.Errorf("%s: %q is not in %q", name, w, texts)
			}
		}
	}
	f := Lines(`a < b & "c"`, "", "", []Series{{X: []float64{1}, Y: []float64{1}}})
	if texts := textsOf(t, svgOf(t, f)); texts[0] != f.Title {
		t.Errorf("the title of the document is %q", texts[0])
	}
}

func TestPNGSize(t *testing.T) {
	f := Lines("", "", "", []Series{{X: []float64{0, 1}, Y: []float64{0, 1}}})
	f.Width, f.Height = 5, 3
	picture, err := png.Decode(bytes.NewReader(pngOf(t, f)))
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 5*dotsPerInch || size.Y != 3*dotsPerInch {
		t.Errorf("the picture has %v dots", size)
	}
}

// record returns the drawing operations of a figure.
func record(t *testing.T, f *Figure) []recorder.Action {
	t.Helper()
	var r recorder.Canvas
	width, height := f.size()
	if err := f.draw(draw.NewCanvas(&r, width, height)); err != nil {
		t.Fatal(err)
	}
	return r.Actions
}

// TestInside checks that no path and no text extends beyond the edges of a figure. The rotated label of the y axis is
// ignored.
func TestInside(t *testing.T) {
	figures := sampleFigures()
	var many []Series
	for range 25 {
		many = append(many, Series{Name: "a name of more than one line in the legend", X: []float64{1}, Y: []float64{2}})
	}
	figures["legend"] = Lines("", "", "", many)
	for name, f := range figures {
		width, height := f.size()
		rotated := 0
		for _, action := range record(t, f) {
			var path vg.Path
			switch a := action.(type) {
			case *recorder.Push:
				rotated *= 2
			case *recorder.Pop:
				rotated /= 2
			case *recorder.Rotate:
				rotated++
			case *recorder.Fill:
				path = a.Path
			case *recorder.Stroke:
				path = a.Path
			case *recorder.FillString:
				style := words(a.Font.Size, ink, draw.XLeft, draw.YBottom)
				path.Move(a.Point)
				path.Line(a.Point.Add(vg.Point{X: style.Width(a.String)}))
			}
			if rotated > 0 {
				continue
			}
			for _, p := range path {
				if p.Pos.X < -1e-6 || p.Pos.Y < -1e-6 || p.Pos.X > width+1e-6 || p.Pos.Y > height+1e-6 {
					t.Errorf("%s: %T at %v in a figure of %v by %v", name, action, p.Pos, width, height)
				}
			}
		}
	}
}

// TestScale draws three points that are equidistant on the scale.
func TestScale(t *testing.T) {
	for scale, values := range map[Scale][]float64{
		Linear: {-5, 0, 5},
		Log:    {0.01, 1, 100},
		Log1p:  {0, 9, 99},
	} {
		f := Lines("", "", "", []Series{{X: values, Y: values}})
		f.X.Scale, f.Y.Scale = scale, scale
		var centers []vg.Point
		for _, action := range record(t, f) {
			if fill, ok := action.(*recorder.Fill); ok && len(fill.Path) == 3 && fill.Path[1].Type == vg.ArcComp {
				centers = append(centers, fill.Path[1].Pos)
			}
		}
		if len(centers) != 3 {
			t.Fatalf("%d points", len(centers))
		}
		for _, difference := range []vg.Length{
			centers[0].X + centers[2].X - 2*centers[1].X, centers[0].Y + centers[2].Y - 2*centers[1].Y,
		} {
			if math.Abs(float64(difference)) > 1e-6 {
				t.Errorf("scale %v: points at %v", scales[scale].name, centers)
			}
		}
		for _, v := range values {
			if back := scales[scale].back(scales[scale].forward(v)); math.Abs(back-v) > 1e-9 {
				t.Errorf("scale %v makes %v of %v", scales[scale].name, back, v)
			}
		}
	}
}

func TestBoxQuantiles(t *testing.T) {
	values := make([]float64, 101)
	for i := range values {
		values[i] = float64((i * 37) % 101) // a permutation of 0 to 100
	}
	f := Boxes("", "", "", []Group{{"", []Sample{{Label: "a", Values: values}}}})
	if f.Y.Scale != Log1p {
		t.Errorf("the scale of counts with zeros is %v", f.Y.Scale)
	}
	b, err := newBox(f, 0, 0, values)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []struct{ got, want float64 }{{b.AdjLow, 5}, {b.Quartile1, 25}, {b.Median, 50}, {b.Quartile3, 75}, {b.AdjHigh, 95}} {
		if q.got != math.Log1p(q.want) {
			t.Errorf("quantile %v, want %v", math.Expm1(q.got), q.want)
		}
	}
	if len(b.Outside) != 10 || b.Value(b.Outside[0]) != 0 || b.Value(b.Outside[5]) != math.Log1p(100) { // 0 to 4, 96 to 100
		t.Errorf("points %v are outside of the whiskers", b.Outside)
	}
	if b, err := newBox(f, 0, 0, values[:3]); err != nil || len(b.Outside) != 3 || b.BoxStyle.Width != 0 {
		t.Errorf("of three values, %d are points, error %v", len(b.Outside), err)
	}
}

func TestLimit(t *testing.T) {
	inf := math.Inf(1)
	f := Versus("", "", "", []Series{{X: []float64{1, inf, 5, 200}, Y: []float64{1, 2, inf, 300}}}, 100)
	all, err := f.content.plotters(f)
	if err != nil {
		t.Fatal(err)
	}
	points := all[0].(*plotter.Scatter)
	for i, p := range points.XYs {
		_, hollow := points.GlyphStyleFunc(i).Shape.(draw.RingGlyph)
		if atLimit := max(p.X, p.Y) == math.Log(100); atLimit != (i > 0) || hollow != atLimit {
			t.Errorf("point %d is at %v, hollow is %v", i, p, hollow)
		}
	}
	svgOf(t, f)
}

func TestCactusPoints(t *testing.T) {
	f := Cactus("", "", "", []Sample{{Label: "a", Values: []float64{5, 1, math.Inf(1), 3, 200}}, {Label: "b"}})
	f.Limit = 100
	series := f.content.(*lines).visible(f)
	if got := series[0]; len(got.X) != 3 || got.X[2] != 3 || got.Y[0] != 1 || got.Y[2] != 5 {
		t.Errorf("the line is %v, %v", got.X, got.Y)
	}
	svgOf(t, f)
}

func TestGaps(t *testing.T) {
	nan := math.NaN()
	got := runs(&Figure{}, []float64{1, 2, 3, 4, 5, 6}, []float64{nan, 7, 8, nan, nan, 9})
	if len(got) != 2 || len(got[0]) != 2 || len(got[1]) != 1 || got[1][0] != (plotter.XY{X: 6, Y: 9}) {
		t.Errorf("runs are %v", got)
	}
}

func TestErrors(t *testing.T) {
	one, zero, nan := []float64{1}, []float64{0}, []float64{math.NaN()}
	logarithmic := func(f *Figure) *Figure {
		f.X.Scale, f.Y.Scale = Log, Log
		return f
	}
	for want, f := range map[string]*Figure{
		"no data":                               Lines("t", "", "", nil),
		"t\" has no data":                       Boxes("t", "", "", []Group{{"g", []Sample{{Label: "a"}}}}),
		"0 on a logarithmic axis":               logarithmic(Lines("t", "", "", []Series{{X: one, Y: zero}})),
		"NaN on a linear axis":                  Boxes("t", "", "", []Group{{"g", []Sample{{Label: "a", Values: nan}}}}),
		"+Inf on a linear axis":                 Lines("t", "", "", []Series{{X: one, Y: []float64{math.Inf(1)}}}),
		"+Inf on a log(1+x) axis":               Boxes("t", "", "", []Group{{"g", []Sample{{Label: "a", Values: []float64{0, math.Inf(1)}}}}}),
		"an interval of \"s\" has one end at 1": Lines("t", "", "", []Series{{Name: "s", X: one, Y: one, Low: nan, High: one}}),
	} {
		for _, write := range []func(io.Writer) error{f.SVG, f.PNG} {
			if err := write(io.Discard); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		}
	}
	full := errors.New("full")
	f := Lines("", "", "", []Series{{X: one, Y: one}})
	for _, write := range []func(io.Writer) error{f.SVG, f.PNG} {
		if err := write(failing{full}); !errors.Is(err, full) {
			t.Errorf("error %v", err)
		}
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

func TestMisuse(t *testing.T) {
	one := []float64{1}
	for name, f := range map[string]func(){
		"lengths":  func() { _ = Lines("", "", "", []Series{{X: one}}).SVG(io.Discard) },
		"interval": func() { _ = Lines("", "", "", []Series{{X: one, Y: one, Low: one}}).SVG(io.Discard) },
		"stacks":   func() { Stack("", Stack("", Lines("", "", "", nil))) },
		"no stack": func() { Stack("") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

// TestAnyData draws lines through random numbers of all magnitudes.
func TestAnyData(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		scale := Scale(random.IntN(3))
		power := []float64{0, 1, 5, 15, 150}[random.IntN(5)]
		n := 1 + random.IntN(4)
		s := Series{Name: "s"}
		for range n {
			v := math.Pow(10, power*(2*random.Float64()-1))
			if scale == Linear && random.IntN(2) == 0 {
				v = -v
			}
			if scale != Log && random.IntN(4) == 0 {
				v = 0
			}
			s.X, s.Y = append(s.X, v), append(s.Y, v)
		}
		f := Lines("", "", "", []Series{s})
		f.X.Scale, f.Y.Scale = scale, scale
		f.Diagonal = random.IntN(2) == 0
		if err := f.SVG(io.Discard); err != nil {
			t.Fatalf("%v %v: %v", scales[scale].name, s.X, err)
		}
	}
}

// Panels with equal legends share one; other panels have their own.
func TestStackLegend(t *testing.T) {
	panel := func(names ...string) *Figure {
		var groups []Group
		for _, name := range names {
			groups = append(groups, Group{name, []Sample{{Label: "1", Values: []float64{1, 2, 3}}}})
		}
		return Boxes("", "x", "y", groups)
	}
	for _, tt := range []struct {
		panels []*Figure
		want   int
	}{
		{[]*Figure{panel("one", "two"), panel("one", "two")}, 1},
		{[]*Figure{panel("one", "two"), panel("one")}, 2},
	} {
		var svg bytes.Buffer
		if err := Stack("", tt.panels...).SVG(&svg); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(svg.String(), ">one<"); n != tt.want {
			t.Errorf("the name of a group occurs %d times, want %d", n, tt.want)
		}
	}
}
