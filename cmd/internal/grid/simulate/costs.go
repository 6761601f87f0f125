package simulate

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// Costs are the parameters of the model: times of messages at each resource, in seconds,
// and rates. The times of messages are times of a processor. The tags of a field are its
// unit, its default, its meaning, and the benchmark that measured the default, or the reason
// for it.
type Costs struct {
	Latency      float64 `unit:"s" default:"100e-6" help:"network: one direction" measured:"assumed: a local network"`
	LineMegabyte float64 `unit:"s/MB" default:"8e-3" help:"network: a megabyte on the line of the server" measured:"assumed: 1 Gbit/s"`

	Cores  float64 `unit:"" default:"1" help:"server: processors" measured:"assumed"`
	Pull   float64 `unit:"s" default:"83e-6" help:"server: a request for a task, and its delivery" measured:"BenchmarkCostWait"`
	Task   float64 `unit:"s" default:"12e-6" help:"server: storing a task in memory" measured:"BenchmarkCostTask"`
	Result float64 `unit:"s" default:"180e-6" help:"server: a result, acknowledged and delivered" measured:"BenchmarkCostResult"`
	Ack    float64 `unit:"s" default:"61e-6" help:"server: the acknowledgement of a task" measured:"BenchmarkCostAck"`
	Object float64 `unit:"s" default:"320e-6" help:"server: the description of an object" measured:"BenchmarkCostObject"`
	Chunk  float64 `unit:"s" default:"100e-6" help:"server: a chunk of an object, 768 KiB" measured:"BenchmarkCostObject"`

	ServerMegabyte float64 `unit:"s/MB" default:"3e-3" help:"server: storing a megabyte of a segment" measured:"BenchmarkCostObject"`
	Compression    float64 `unit:"" default:"0.72" help:"size of an object, as a share of its segment" measured:"zstd of a proof of w(2;3,12)"`

	Beat     float64 `unit:"s" default:"1.7e-6" help:"server: a heartbeat of a task" measured:"BenchmarkCostBeat"`
	Presence float64 `unit:"s" default:"2.2e-6" help:"server: a presence message, and its delivery" measured:"BenchmarkCostPresence"`
	Share    float64 `unit:"s" default:"1.5e-6" help:"server: receiving shared clauses" measured:"BenchmarkCostShare"`
	Deliver  float64 `unit:"s" default:"1.3e-6" help:"server: one delivery of shared clauses" measured:"BenchmarkCostShare"`

	BeatRate     float64 `unit:"1/s" default:"0.2" help:"heartbeats of a worker" measured:"grid.DefaultAckWait"`
	PresenceRate float64 `unit:"1/s" default:"0.5" help:"presence messages of a worker" measured:"grid.DefaultHeartbeat"`
	ShareRate    float64 `unit:"1/s" default:"0" help:"messages of a worker with clauses to share" measured:"0: no sharing; at most 5"`
	MergedRate   float64 `unit:"1/s" default:"5" help:"messages of the coordinator to all workers" measured:"grid: with the clauses of 200 ms"`

	Sync         float64 `unit:"s" default:"300e-6" help:"disk: a synchronized write" measured:"BenchmarkCostResult"`
	DiskMegabyte float64 `unit:"s/MB" default:"4.9e-3" help:"disk: writing a megabyte" measured:"BenchmarkCostObject"`

	Send    float64 `unit:"s" default:"10e-6" help:"coordinator: publishing a task" measured:"profile of Live with 10,000 cubes"`
	Receive float64 `unit:"s" default:"25e-6" help:"coordinator: a result, or another message" measured:"profile of Live with 10,000 cubes"`
	Accept  float64 `unit:"s" default:"25e-6" help:"coordinator: the reply of a checker" measured:"assumed: as receive"`

	Check         float64 `unit:"s" default:"50e-6" help:"checker: a segment" measured:"assumed: small against its megabytes"`
	CheckMegabyte float64 `unit:"s/MB" default:"28e-3" help:"checker: a megabyte of a segment" measured:"BenchmarkSessions"`

	Formula float64 `unit:"MB" default:"0.1" help:"worker: size of the formula" measured:"the instances of the README"`
	Prepare float64 `unit:"s" default:"0" help:"worker: time until the first request" measured:"assumed"`
}

// A Parameter is a field of [Costs].
type Parameter struct {
	Name    string // that of the field in small letters, with hyphens between words
	Unit    string
	Default float64
	Help    string

	index int
}

// Of returns the value of the parameter in costs.
func (p *Parameter) Of(c *Costs) *float64 {
	return reflect.ValueOf(c).Elem().Field(p.index).Addr().Interface().(*float64)
}

// Parameters lists the fields of Costs.
var Parameters = parameters()

func parameters() (all []Parameter) {
	words := regexp.MustCompile("[A-Z][a-z]*")
	for i, f := range reflect.VisibleFields(reflect.TypeFor[Costs]()) {
		value, err := strconv.ParseFloat(f.Tag.Get("default"), 64)
		if err != nil {
			panic("simulate: the default of " + f.Name)
		}
		name := strings.ToLower(strings.Join(words.FindAllString(f.Name, -1), "-"))
		all = append(all, Parameter{name, f.Tag.Get("unit"), value, f.Tag.Get("help"), i})
	}
	return all
}

// DefaultCosts returns the defaults of all parameters.
func DefaultCosts() Costs {
	var c Costs
	for _, p := range Parameters {
		*p.Of(&c) = p.Default
	}
	return c
}

// Validate returns an error if a cost is negative or no number, or if the server has no
// processor.
func (c *Costs) Validate() error {
	for _, p := range Parameters {
		if v := *p.Of(c); !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("invalid value %v for %s: want a number of at least 0", v, p.Name)
		}
	}
	if c.Cores < 1 || c.Cores != math.Trunc(c.Cores) {
		return fmt.Errorf("invalid value %v for cores: want a positive integer", c.Cores)
	}
	return nil
}

// serverLoad returns the number of processors of the server that the heartbeats, presence
// and shared clauses of one worker occupy.
func (c *Costs) serverLoad() float64 {
	load := c.BeatRate*c.Beat + c.PresenceRate*c.Presence
	if c.ShareRate > 0 {
		load += c.ShareRate*c.Share + c.MergedRate*c.Deliver
	}
	return load
}

// coordinatorLoad returns the share of the coordinator that they occupy.
func (c *Costs) coordinatorLoad() float64 { return (c.PresenceRate + c.ShareRate) * c.Receive }

// Sizes of segments in the protocol, in bytes.
const (
	inlineBytes = 64 << 10  // larger segments are objects
	chunkBytes  = 768 << 10 // of an object
)

func megabytes(n int64) float64 { return float64(n) / 1e6 }
