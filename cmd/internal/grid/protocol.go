package grid

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// Messages between coordinator, workers and checkers.
//
// A message is one JSON value. Each message has the protocol version.
// Decoding is strict: a message of another version, of another run or of more than
// MaxMessage bytes is an error, and so are an unknown field, trailing bytes, a name with
// other characters, a literal, number or length out of its range. The receiver logs the
// error and drops the message, so no message of a stranger ends a run. Names in messages
// are never used as paths.

// Version is the version of the protocol. Coordinator, workers and checkers of a run must
// have the same one.
const Version = 2

// Limits of messages.
const (
	MaxMessage = 1 << 20   // bytes of a message: the default limit of NATS servers
	MaxInline  = 64 << 10  // bytes of a segment or a model inside a result; larger ones are objects
	MaxTail    = 384 << 10 // bytes of all segments inside a result, which are larger by a third in JSON
	MaxName    = 64        // bytes of the name of a worker or a session
	MaxText    = 1000      // bytes of a reason or an error in a message
	MaxCubes   = 10_000    // cubes, sessions or workers in a message
	MaxCube    = 20_000    // literals of a cube
	MaxObject  = 1 << 40   // bytes of an object
)

// Roles of a [Hello] and a [Presence].
const (
	RoleWorker  = "worker"
	RoleChecker = "checker"
)

// An Object refers to an immutable object of the object bucket.
type Object struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // of the bytes, in hexadecimal
}

// A FormulaInfo describes the simplified formula from which workers start. The object is
// DIMACS text with the clauses in the order of their ids in a session, from 1 on.
type FormulaInfo struct {
	Object
	Vars     int   `json:"vars"` // of the run: also those of cubes that the clauses lack
	Clauses  int   `json:"clauses"`
	Literals int64 `json:"literals"` // in all clauses
}

// A Hello is the first message of a worker or a checker.
type Hello struct {
	Version int    `json:"version"`
	Role    string `json:"role"`
	Worker  string `json:"worker"`  // unique in a run
	Session string `json:"session"` // unique; a worker that starts again has another one
	Host    string `json:"host"`
}

// A Welcome is the answer to a [Hello].
type Welcome struct {
	Version int    `json:"version"`
	Error   string `json:"error,omitempty"` // why the coordinator refuses the worker, or empty
	Retry   bool   `json:"retry,omitempty"` // the refusal is not final
	Ended   bool   `json:"ended,omitempty"` // the reason is that the run has an answer

	Run     string      `json:"run,omitempty"`     // identity of formula, cubes and options; see RunRecord
	Sum     string      `json:"sum,omitempty"`     // checksum that tasks and results carry
	Formula FormulaInfo `json:"formula,omitzero"`  // simplified formula
	Options Options     `json:"options,omitempty"` // of the workers' solvers

	Segments bool          `json:"segments,omitempty"` // results carry segments of the proof
	Share    bool          `json:"share,omitempty"`    // workers share clauses: of accepted segments if Segments
	Wait     time.Duration `json:"wait,omitempty"`     // [DefaultAckWait]
	Beat     time.Duration `json:"beat,omitempty"`     // [DefaultHeartbeat]
}

// Options are the options of a worker's solver: the knobs of [cdcl.Knobs] that differ
// from their defaults, and the seed.
type Options struct {
	Knobs map[string]int `json:"knobs,omitempty"`
	Seed  uint64         `json:"seed,omitempty"`
}

// OptionsOf returns the message form of options.
func OptionsOf(o *cdcl.Options) Options {
	m := Options{Seed: o.Seed}
	for _, k := range cdcl.Knobs {
		if v := k.Get(o); v != k.Default {
			if m.Knobs == nil {
				m.Knobs = map[string]int{}
			}
			m.Knobs[k.Name] = v
		}
	}
	return m
}

// Solver returns solver options. An unknown knob or a value out of its range is an error.
func (m Options) Solver() (cdcl.Options, error) {
	o := cdcl.Options{}
	o.Seed = m.Seed
	known := 0
	for _, k := range cdcl.Knobs {
		v, ok := m.Knobs[k.Name]
		if !ok {
			continue
		}
		if err := k.Set(&o, v); err != nil {
			return o, fmt.Errorf("option %w", err)
		}
		known++
	}
	if known < len(m.Knobs) {
		return o, errors.New("unknown solver option")
	}
	return o, nil
}

// A TaskMessage is a message of TASKS.
type TaskMessage struct {
	Version int            `json:"version"`
	Run     string         `json:"run"`
	Task    portfolio.Task `json:"task"`
	Again   bool           `json:"again,omitempty"` // it was given out before: its worker looks for a result first
}

// A Clause is a clause with its final id, or 0 in a run without segments.
type Clause struct {
	ID   int64              `json:"id"`
	Lits portfolio.Literals `json:"lits"`
}

// A SegmentRef describes a segment of the proof of a session. Its imports and exports are
// steps of the segment itself.
type SegmentRef struct {
	session.Header
	Object string `json:"object,omitempty"` // name of the object with the bytes; empty if they are inline
	Data   []byte `json:"data,omitempty"`   // the bytes if they are inline
}

// object returns the reference to the object of a segment.
func (s *SegmentRef) object() Object { return Object{s.Object, s.Size, s.SHA256} }

// open returns a reader of the bytes of a segment.
func (s *SegmentRef) open(ctx context.Context, objects *objectStore) (io.ReadCloser, error) {
	if s.Object != "" {
		return objects.get(ctx, s.object())
	}
	return io.NopCloser(bytes.NewReader(s.Data)), nil
}

// A ResultMessage is a message of RESULTS: the end of a cube, and the segments of the
// session that no accepted or waiting result has, in order. A result that is Unknown
// without a literal to split by is not published: its worker solves the cube again with
// twice the budget.
//
// The literals of a model are in Result, or in an object as DIMACS text. Result.Clause is
// a local id of the session.
type ResultMessage struct {
	Version  int              `json:"version"`
	Run      string           `json:"run"`
	Worker   string           `json:"worker"`
	Session  string           `json:"session"`
	Result   portfolio.Result `json:"result"`
	Segments []SegmentRef     `json:"segments,omitempty"`
	Model    *Object          `json:"model,omitempty"`
}

// A Presence is published by each worker and checker every Beat, and at once after a
// ping and when it begins or ends a cube after an idle time.
type Presence struct {
	Version   int     `json:"version"`
	Role      string  `json:"role"`
	Run       string  `json:"run"`
	Worker    string  `json:"worker"`
	Session   string  `json:"session"`
	Host      string  `json:"host"`
	Cube      string  `json:"cube,omitempty"`    // hash of the cube that it solves, or empty
	Literals  int     `json:"literals"`          // of that cube
	Seconds   float64 `json:"seconds"`           // since it began the cube or became idle
	Idle      string  `json:"idle,omitempty"`    // why it is idle
	Leaving   bool    `json:"leaving,omitempty"` // its last message
	Cubes     int64   `json:"cubes"`             // that it has finished
	Conflicts int64   `json:"conflicts"`         // in all cubes
}

// A Cancel ends work that is not needed.
type Cancel struct {
	Version  int               `json:"version"`
	Run      string            `json:"run"`
	Cubes    []string          `json:"cubes,omitempty"`    // hashes: another refutation covers them
	Sessions []string          `json:"sessions,omitempty"` // they must end, and their workers begin new ones: a segment is missing
	Excluded map[string]string `json:"excluded,omitempty"` // workers and reasons: they must end
	Stop     string            `json:"stop,omitempty"`     // all must end, since the run has: why
}

// A Shared message has clauses that are implied by the formula.
type Shared struct {
	Version int      `json:"version"`
	Run     string   `json:"run"`
	Session string   `json:"session"` // that derived them, so that it can skip them
	Clauses []Clause `json:"clauses"`
}

// A CheckItem asks a checker to add the segments of a result to a session, and then to
// check a claim. If Attached is false, it has no segments: the checker reads the result
// with number Seq from RESULTS and adds its segments.
type CheckItem struct {
	Seq      uint64       `json:"seq"`
	Attached bool         `json:"attached,omitempty"`
	Segments []SegmentRef `json:"segments,omitempty"`
	Claim    *Claim       `json:"claim,omitempty"` // nil for a split or a model
	Known    bool         `json:"known,omitempty"` // it was accepted before: it has no claim, and needs no report
}

// A Claim is that the clause with a local id refutes a cube: it consists of complements
// of failed literals, which are literals of the cube.
type Claim struct {
	Cube   portfolio.Literals `json:"cube"`
	Failed portfolio.Literals `json:"failed"`
	Clause int64              `json:"clause"`
}

// A CheckRequest asks a checker to check results of one session in order.
type CheckRequest struct {
	Version int         `json:"version"`
	Run     string      `json:"run"`
	Session string      `json:"session"`
	Items   []CheckItem `json:"items"`
}

// A CheckReply is the answer to a [CheckRequest]. The first Checked items are right. If
// these are not all items, one of Wrong, Missing and Trouble says why.
//
// A request may be repeated, because its answer was lost. Then the checker has some of
// its segments already. It need not check them again, but must report them.
type CheckReply struct {
	Version int              `json:"version"`
	Run     string           `json:"run"`
	Session string           `json:"session"`
	Checked int              `json:"checked"`           // items
	Reports []session.Report `json:"reports,omitempty"` // of the segments of the checked items that are not Known, in order
	Wrong   string           `json:"wrong,omitempty"`   // the next item is wrong: a worker's fault
	Missing int              `json:"missing,omitempty"` // the checker lacks the segments of the session from this number on
	Trouble string           `json:"trouble,omitempty"` // the checker cannot check it, for example for lack of memory
	Lost    bool             `json:"lost,omitempty"`    // with Trouble: an object of the next item is missing or damaged
}

// A RunRecord is the value of KeyRun. The simplification of the formula and its objects
// belong to the run: a coordinator that continues the run must not repeat it, since
// results refer to its outcome.
type RunRecord struct {
	Version  int         `json:"version"`
	Run      string      `json:"run"`
	Sum      string      `json:"sum"`             // checksum of the formula
	Segments bool        `json:"segments"`        // results carry segments
	Formula  FormulaInfo `json:"formula"`         // simplified formula
	Stack    Object      `json:"stack"`           // see portfolio.Simplification.Write
	Steps    *Object     `json:"steps,omitempty"` // proof of the simplification in binary LRAT, or nil without segments
}

// An AnswerRecord is the value of KeyAnswer.
type AnswerRecord struct {
	Version int           `json:"version"`
	Run     string        `json:"run"`
	Status  dimacs.Status `json:"status"`
	Worker  string        `json:"worker,omitempty"` // that found the model
	Cube    string        `json:"cube,omitempty"`   // hash of the cube whose result has the model
}

// CubeHash returns the hash of a cube that is its subject in RESULTS: 32 hexadecimal
// digits of the SHA-256 of its literals in order.
func CubeHash(cube []dimacs.Lit) string {
	b := make([]byte, 0, 4*len(cube))
	for _, l := range cube {
		b = append(b, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// Encode returns the message form of a value. It panics if the value has no JSON form.
func Encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("grid: %T: %v", v, err))
	}
	return b
}

// A message is a value with rules beyond those of its JSON form.
type message interface{ validate(*check) }

// Decode decodes a message into v, a pointer to one of the types of this file.
func Decode(b []byte, v message) error {
	if len(b) > MaxMessage {
		return fmt.Errorf("a message of %d bytes: want at most %d", len(b), MaxMessage)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("malformed message: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("malformed message: bytes after its end")
	}
	var c check
	v.validate(&c)
	return c.err
}

// A check collects the first error of a validation.
type check struct{ err error }

func (c *check) want(ok bool, format string, args ...any) {
	if !ok && c.err == nil {
		c.err = fmt.Errorf("invalid message: "+format, args...)
	}
}

func (c *check) version(v int) {
	c.want(v == Version, "protocol version %d: want %d", v, Version)
}

func (c *check) name(kind, s string) {
	c.want(ValidName(s), "%s %.80q: want 1 to %d letters, digits and '-', '_', '='", kind, s, MaxName)
}

func (c *check) hash(s string, digits int) {
	b, err := hex.DecodeString(s)
	c.want(err == nil && 2*len(b) == digits && hex.EncodeToString(b) == s, "%.80q is not a hash of %d digits", s, digits)
}

func (c *check) text(s string) {
	c.want(len(s) <= MaxText, "a text of %d bytes: want at most %d", len(s), MaxText)
}

func (c *check) run(s string) { c.hash(s, 64) }

func (c *check) session(version int, run, session string) {
	c.version(version)
	c.run(run)
	c.name("session", session)
}

func (c *check) object(o *Object) {
	c.name("object", o.Name)
	c.want(o.Size >= 0 && o.Size <= MaxObject, "an object of %d bytes", o.Size)
	c.hash(o.SHA256, 64)
}

func (c *check) formula(f *FormulaInfo) {
	c.object(&f.Object)
	c.want(f.Vars >= 0 && f.Vars <= dimacs.MaxVars && f.Clauses >= 0 && f.Literals >= 0, "formula of %d variables, %d clauses and %d literals", f.Vars, f.Clauses, f.Literals)
}

func (c *check) clauses(cs []Clause) {
	for i := range cs {
		c.want(cs[i].ID >= 0, "clause %d", cs[i].ID)
	}
}

// segments checks references to segments, whose numbers and ids must be consecutive, and
// returns the bytes of the inline ones.
func (c *check) segments(refs []SegmentRef) (inline int64) {
	for i := range refs {
		s := &refs[i]
		c.want(s.Number >= 1 && s.Lemmas >= 0 && s.Fresh >= 0 && s.First >= 1 && s.First <= s.Next, "segment %d of clauses %d to %d", s.Number, s.First, s.Next)
		c.want(i == 0 || s.Number == refs[i-1].Number+1 && s.First == refs[i-1].Next, "segment %d does not continue the one before", s.Number)
		if s.Object != "" {
			o := s.object()
			c.object(&o)
			c.want(len(s.Data) == 0, "a segment has an object and %d bytes", len(s.Data))
			continue
		}
		c.hash(s.SHA256, 64)
		c.want(s.Size == int64(len(s.Data)) && s.Size <= MaxInline, "%d bytes of a segment of %d: want at most %d", len(s.Data), s.Size, MaxInline)
		inline += s.Size
	}
	return inline
}

// ValidName reports whether a text is the name of a worker, a session or an object: 1 to
// MaxName letters, digits, hyphens, underscores and equals signs. So a name is one token
// of a subject and a key.
func ValidName(s string) bool { return validToken(s, MaxName, "-_=") }

func (m *Hello) validate(c *check) {
	c.version(m.Version)
	c.want(m.Role == RoleWorker || m.Role == RoleChecker, "role %.80q", m.Role)
	c.name("worker", m.Worker)
	c.name("session", m.Session)
	c.text(m.Host)
}

func (m *Welcome) validate(c *check) {
	c.version(m.Version)
	c.text(m.Error)
	if m.Error != "" {
		return
	}
	c.run(m.Run)
	c.hash(m.Sum, 64)
	c.formula(&m.Formula)
	c.want(m.Wait >= time.Millisecond && m.Beat >= time.Millisecond, "times %v and %v", m.Wait, m.Beat)
	if _, err := m.Options.Solver(); err != nil {
		c.want(false, "%v", err)
	}
}

func (m *TaskMessage) validate(c *check) {
	c.version(m.Version)
	c.run(m.Run)
	c.want(m.Task.Budget >= 0 && len(m.Task.Cube) <= 2*MaxCube, "budget %d and a cube of %d literals", m.Task.Budget, len(m.Task.Cube))
}

func (m *ResultMessage) validate(c *check) {
	c.session(m.Version, m.Run, m.Session)
	c.name("worker", m.Worker)
	r := &m.Result
	switch r.Status {
	case dimacs.Satisfiable:
		c.want(m.Model == nil || len(r.Model) == 0, "two models")
	case dimacs.Unsatisfiable:
		c.want(len(r.Split) == 0 && len(r.Model) == 0 && m.Model == nil, "a refuted cube has a model or is split")
	case dimacs.Unknown:
		c.want(len(r.Split) == 1 && len(r.Failed) == 0 && len(r.Model) == 0 && m.Model == nil, "a cube without answer is not split into two")
	default:
		c.want(false, "status %d", r.Status)
	}
	c.want(r.Clause >= 0 && r.Conflicts >= 0 && r.Seconds >= 0 && r.Proof == nil, "a number is out of its range")
	if m.Model != nil {
		c.object(m.Model)
	}
	n := c.segments(m.Segments)
	c.want(n <= MaxTail, "%d bytes of segments: want at most %d", n, MaxTail)
}

func (m *Presence) validate(c *check) {
	c.session(m.Version, m.Run, m.Session)
	c.name("worker", m.Worker)
	c.want(m.Role == RoleWorker || m.Role == RoleChecker, "role %.80q", m.Role)
	if m.Cube != "" {
		c.hash(m.Cube, 32)
	}
	c.text(m.Host)
	c.text(m.Idle)
	c.want(m.Literals >= 0 && m.Seconds >= 0 && m.Cubes >= 0 && m.Conflicts >= 0, "a number is out of its range")
}

func (m *Cancel) validate(c *check) {
	c.version(m.Version)
	c.run(m.Run)
	c.want(len(m.Cubes) <= MaxCubes && len(m.Sessions) <= MaxCubes && len(m.Excluded) <= MaxCubes, "too many cubes")
	for _, h := range m.Cubes {
		c.hash(h, 32)
	}
	for _, s := range m.Sessions {
		c.name("session", s)
	}
	for w, why := range m.Excluded {
		c.name("worker", w)
		c.text(why)
	}
	c.text(m.Stop)
}

func (m *Shared) validate(c *check) {
	c.session(m.Version, m.Run, m.Session)
	c.clauses(m.Clauses)
}

func (m *CheckRequest) validate(c *check) {
	c.session(m.Version, m.Run, m.Session)
	for i := range m.Items {
		c.segments(m.Items[i].Segments)
		c.want(m.Items[i].Attached || len(m.Items[i].Segments) == 0, "an item has segments and is not attached")
	}
}

func (m *CheckReply) validate(c *check) {
	c.session(m.Version, m.Run, m.Session)
	c.text(m.Wrong)
	c.text(m.Trouble)
	c.want(m.Checked >= 0 && m.Missing >= 0, "a number is out of its range")
}

func (m *RunRecord) validate(c *check) {
	c.version(m.Version)
	c.run(m.Run)
	c.hash(m.Sum, 64)
	c.formula(&m.Formula)
	c.object(&m.Stack)
	if m.Steps != nil {
		c.object(m.Steps)
	}
}

func (m *AnswerRecord) validate(c *check) {
	c.version(m.Version)
	c.run(m.Run)
	c.want(m.Status == dimacs.Satisfiable || m.Status == dimacs.Unsatisfiable, "status %d", m.Status)
}
