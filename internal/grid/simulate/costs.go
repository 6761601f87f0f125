package simulate

import (
	"fmt"
	"math"
)

// Costs are the parameters of the model: times of messages at each resource, in seconds,
// and rates. [Parameters] lists them with their defaults.
type Costs struct {
	Latency      float64
	LineMegabyte float64

	Cores  float64
	Pull   float64
	Task   float64
	Result float64
	Ack    float64
	Object float64
	Chunk  float64

	ServerMegabyte float64
	Compression    float64

	Beat     float64
	Presence float64
	Share    float64
	Deliver  float64

	BeatRate     float64
	PresenceRate float64
	ShareRate    float64
	MergedRate   float64

	Sync         float64
	DiskMegabyte float64

	Send    float64
	Receive float64
	Accept  float64

	Check         float64
	CheckMegabyte float64

	Formula float64
	Prepare float64
}

// A Parameter is a row of the table of [Costs].
type Parameter struct {
	Name     string
	Unit     string
	Default  float64
	Help     string
	Measured string // the benchmark that measured the default, or the reason for it

	Of func(*Costs) *float64 // the field
}

// Parameters is the only list of costs. The times of messages are times of a processor.
// To add one, add a field above and a line here.
var Parameters = []Parameter{
	{"latency", "s", 100e-6, "network: one direction", "assumed: a local network", func(c *Costs) *float64 { return &c.Latency }},
	{"line-megabyte", "s/MB", 8e-3, "network: a megabyte on the line of the server", "assumed: 1 Gbit/s", func(c *Costs) *float64 { return &c.LineMegabyte }},
	{"cores", "", 1, "server: processors", "assumed", func(c *Costs) *float64 { return &c.Cores }},
	{"pull", "s", 83e-6, "server: a request for a task, and its delivery", "BenchmarkCostWait", func(c *Costs) *float64 { return &c.Pull }},
	{"task", "s", 12e-6, "server: storing a task in memory", "BenchmarkCostTask", func(c *Costs) *float64 { return &c.Task }},
	{"result", "s", 180e-6, "server: a result, acknowledged and delivered", "BenchmarkCostResult", func(c *Costs) *float64 { return &c.Result }},
	{"ack", "s", 61e-6, "server: the acknowledgement of a task", "BenchmarkCostAck", func(c *Costs) *float64 { return &c.Ack }},
	{"object", "s", 320e-6, "server: the description of an object", "BenchmarkCostObject", func(c *Costs) *float64 { return &c.Object }},
	{"chunk", "s", 100e-6, "server: a chunk of an object, 768 KiB", "BenchmarkCostObject", func(c *Costs) *float64 { return &c.Chunk }},
	{"server-megabyte", "s/MB", 3e-3, "server: storing a megabyte of a segment", "BenchmarkCostObject", func(c *Costs) *float64 { return &c.ServerMegabyte }},
	{"compression", "", 0.72, "size of an object, as a share of its segment", "zstd of a proof of w(2;3,12)", func(c *Costs) *float64 { return &c.Compression }},
	{"beat", "s", 1.7e-6, "server: a heartbeat of a task", "BenchmarkCostBeat", func(c *Costs) *float64 { return &c.Beat }},
	{"presence", "s", 2.2e-6, "server: a presence message, and its delivery", "BenchmarkCostPresence", func(c *Costs) *float64 { return &c.Presence }},
	{"share", "s", 1.5e-6, "server: receiving shared clauses", "BenchmarkCostShare", func(c *Costs) *float64 { return &c.Share }},
	{"deliver", "s", 1.3e-6, "server: one delivery of shared clauses", "BenchmarkCostShare", func(c *Costs) *float64 { return &c.Deliver }},
	{"beat-rate", "1/s", 0.2, "heartbeats of a worker", "grid.DefaultAckWait", func(c *Costs) *float64 { return &c.BeatRate }},
	{"presence-rate", "1/s", 0.5, "presence messages of a worker", "grid.DefaultHeartbeat", func(c *Costs) *float64 { return &c.PresenceRate }},
	{"share-rate", "1/s", 0, "messages of a worker with clauses to share", "0: no sharing; at most 5", func(c *Costs) *float64 { return &c.ShareRate }},
	{"merged-rate", "1/s", 5, "messages of the coordinator to all workers", "grid: with the clauses of 200 ms", func(c *Costs) *float64 { return &c.MergedRate }},
	{"sync", "s", 300e-6, "disk: a synchronized write", "BenchmarkCostResult", func(c *Costs) *float64 { return &c.Sync }},
	{"disk-megabyte", "s/MB", 4.9e-3, "disk: writing a megabyte", "BenchmarkCostObject", func(c *Costs) *float64 { return &c.DiskMegabyte }},
	{"send", "s", 10e-6, "coordinator: publishing a task", "profile of Live with 10,000 cubes", func(c *Costs) *float64 { return &c.Send }},
	{"receive", "s", 25e-6, "coordinator: a result, or another message", "profile of Live with 10,000 cubes", func(c *Costs) *float64 { return &c.Receive }},
	{"accept", "s", 25e-6, "coordinator: the reply of a checker", "assumed: as receive", func(c *Costs) *float64 { return &c.Accept }},
	{"check", "s", 50e-6, "checker: a segment", "assumed: small against its megabytes", func(c *Costs) *float64 { return &c.Check }},
	{"check-megabyte", "s/MB", 28e-3, "checker: a megabyte of a segment", "BenchmarkSessions", func(c *Costs) *float64 { return &c.CheckMegabyte }},
	{"formula", "MB", 0.1, "worker: size of the formula", "the instances of the README", func(c *Costs) *float64 { return &c.Formula }},
	{"prepare", "s", 0, "worker: time until the first request", "assumed", func(c *Costs) *float64 { return &c.Prepare }},
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
