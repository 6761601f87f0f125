package grid

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dpll/portfolio"
)

// The start of a coordinator: it makes sure that it is the only one, creates or opens the
// streams, compares the identity of the run, simplifies the formula or reads the
// simplified one, replays the results, and creates TASKS.

// start does all that comes before the loop.
func (c *coordinator) start(ctx context.Context) error {
	c.goroutines.Go(func() { c.runBackground(ctx) })
	c.goroutines.Go(func() { c.watchConnection(ctx) })
	c.phase.Store("simplifying")
	for _, step := range []func(context.Context) error{
		c.acquire, c.openStreams, c.listen, c.open, c.readExcluded, c.replay, c.forgetAnswer, c.startTasks,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := c.startCheckers(); err != nil {
		return err
	}
	c.goroutines.Go(func() { c.purgeObjects(ctx) })
	c.phase.Store("solving")
	if c.o.Ready != nil {
		c.o.Ready(c.results.known)
	}
	return nil
}

// A lease is the value of KeyLease: who coordinates the run.
type lease struct {
	ID   string `json:"id"`
	Host string `json:"host"`
	PID  int    `json:"pid"`
}

// leasePatience is the time in which another coordinator must answer. An unreachable one
// loses the run.
const leasePatience = 3 * time.Second

// acquire makes this coordinator the only one of the run: it asks for another one,
// subscribes to such questions, and takes the lease. Of two that start at the same time,
// one is asked by the other, or finds out later that the lease is not its own (checkLease).
func (c *coordinator) acquire(ctx context.Context) (err error) {
	if c.state, err = c.openState(ctx); err != nil {
		return err
	}
	if err := c.askCoordinator(ctx); err != nil {
		return err
	}
	if err := c.subscribe(c.names.Coordinator(), func(m *nats.Msg) { m.Respond([]byte(c.id)) }); err != nil {
		return err
	}
	host, _ := os.Hostname()
	value := Encode(&lease{c.id, host, os.Getpid()})
	return c.persist(ctx, func(ctx context.Context) error {
		_, err := c.state.Put(ctx, KeyLease, value)
		return err
	})
}

// askCoordinator returns an error if another coordinator answers. If the connection is lost
// meanwhile, the question or its answer may be lost, and the other coordinator may have lost
// its connection too. Then it asks again for some time.
func (c *coordinator) askCoordinator(ctx context.Context) error {
	var until time.Time
	for {
		connections := c.nc.Stats().Reconnects
		err := c.askOnce(ctx)
		lost := !c.nc.IsConnected() || c.nc.Stats().Reconnects != connections
		switch {
		case err == nil:
			return fmt.Errorf("another coordinator serves the run %q", c.o.Name)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case lost:
			until = time.Now().Add(leasePatience)
		case errors.Is(err, context.DeadlineExceeded):
			c.o.Log("an earlier coordinator of the run %q does not answer; taking over", c.o.Name)
			return nil
		case !errors.Is(err, nats.ErrNoResponders):
			return err
		case time.Now().After(until):
			return nil
		}
		sleep(ctx, retryWait)
	}
}

// askOnce returns nil if another coordinator answers.
func (c *coordinator) askOnce(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, leasePatience)
	defer cancel()
	_, err := c.nc.RequestWithContext(ctx, c.names.Coordinator(), nil)
	return err
}

// checkLease returns an error if another coordinator has replaced this one.
func (c *coordinator) checkLease(ctx context.Context) error {
	entry, err := c.state.Get(ctx, KeyLease)
	if err != nil {
		return nil // the server may be restarting
	}
	l := new(lease)
	if json.Unmarshal(entry.Value(), l) == nil && l.ID == c.id {
		return nil
	}
	return fmt.Errorf("another coordinator has taken over the run %q: process %d on %s", c.o.Name, l.PID, l.Host)
}

// subscribe calls f with each message of a core subject until close. The server knows the
// subscription when subscribe returns.
func (c *coordinator) subscribe(subject string, f func(*nats.Msg)) error {
	s, err := c.nc.Subscribe(subject, f)
	if err != nil {
		return fmt.Errorf("subscription to %s: %w", subject, err)
	}
	c.subs = append(c.subs, s)
	return c.persist(c.ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, requestTime)
		defer cancel()
		err := c.nc.FlushWithContext(ctx)
		if errors.Is(err, nats.ErrConnectionClosed) && !c.nc.IsClosed() {
			return nats.ErrDisconnected // nats.go 1.55 says "closed" of a connection lost meanwhile too
		}
		return err
	})
}

// openState opens the state bucket, or creates it.
func (c *coordinator) openState(ctx context.Context) (kv jetstream.KeyValue, err error) {
	config := c.names.stateConfig(c.o.Replicas)
	err = c.openStored(ctx, config.Bucket, func(ctx context.Context) (err error) {
		kv, err = c.js.CreateOrUpdateKeyValue(ctx, config)
		return err
	})
	return kv, err
}

// openStreams opens or creates the streams and the object bucket.
func (c *coordinator) openStreams(ctx context.Context) (err error) {
	if c.results.stream, err = c.openStream(ctx, c.names.resultsConfig(c.o.Replicas)); err != nil {
		return err
	}
	if c.o.segments() {
		if c.accepted.stream, err = c.openStream(ctx, c.names.acceptedConfig(c.o.Replicas)); err != nil {
			return err
		}
	}
	config := c.names.objectConfig(c.o.Replicas)
	return c.openStored(ctx, config.Bucket, func(ctx context.Context) error {
		_, err := c.js.CreateOrUpdateObjectStore(ctx, config)
		return err
	})
}

// openStream opens a stream on disk, or creates it.
func (c *coordinator) openStream(ctx context.Context, config jetstream.StreamConfig) (s jetstream.Stream, err error) {
	err = c.openStored(ctx, config.Name, func(ctx context.Context) (err error) {
		s, err = c.js.CreateOrUpdateStream(ctx, config)
		return err
	})
	return s, err
}

// openStored opens a stream or a bucket on disk: open updates it or, if there is none,
// creates it.
//
// A server keeps the configuration of a stream in one file and its checksum in another, and
// does not load a stream without the checksum. A server that is killed while it creates or
// updates a stream may leave the first file alone. When the stream is created again, its
// messages are there again, but nats-server 2.15 writes no checksum, so after its next start
// there is no such stream. An update writes both files. So open is called twice.
func (c *coordinator) openStored(ctx context.Context, name string, open func(context.Context) error) error {
	err := c.persist(ctx, func(ctx context.Context) error {
		if err := open(ctx); err != nil {
			return err
		}
		return open(ctx)
	})
	if err != nil {
		return fmt.Errorf("stream or bucket %s: %w", name, err)
	}
	return nil
}

// identityOf returns the identity of a run: a hash of all that results depend on.
func identityOf(o *ServeOptions, checksum string) string {
	h := sha256.New()
	fmt.Fprintf(h, "sator grid %d %s segments %v cubes %d\n", Version, checksum, o.segments(), len(o.Cubes))
	for _, cube := range o.Cubes {
		b := binary.LittleEndian.AppendUint32(nil, uint32(len(cube)))
		for _, l := range cube {
			b = binary.LittleEndian.AppendUint32(b, uint32(l))
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// open compares the identity of the run with that of the key "run", and reads the
// simplified formula; or it simplifies the formula and creates the key.
func (c *coordinator) open(ctx context.Context) error {
	if err := c.checkCubes(); err != nil {
		return err
	}
	checksum := portfolio.Checksum(c.o.Formula)
	c.identity = identityOf(&c.o, checksum)
	var entry jetstream.KeyValueEntry
	err := c.persist(ctx, func(ctx context.Context) (err error) {
		entry, err = c.state.Get(ctx, KeyRun)
		return err
	})
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		err = c.create(ctx, checksum)
	case err == nil:
		err = c.reopen(ctx, entry.Value())
	}
	if err != nil {
		return err
	}
	o := portfolio.CoordinatorOptions{Formula: checksum, Vars: c.base.formula.Vars(), Budget: c.o.Budget}
	if c.o.segments() {
		c.accepted.numbering = session.NewNumbering(c.base.numbers)
		o.Learn = c.accepted.resolvents.Learn
	}
	c.sum = checksum
	c.tree = portfolio.NewCoordinator(c.o.Cubes, o)
	if c.base.Status == dimacs.Satisfiable {
		if c.ending.model = c.extend(c.base.units()); c.ending.model == nil {
			return errors.New("the model of the simplification falsifies the formula")
		}
	}
	return nil
}

// checkCubes returns an error if a cube is too large for a message with a result that
// repeats it.
func (c *coordinator) checkCubes() error {
	for i, cube := range c.o.Cubes {
		if len(cube) > MaxCube {
			return fmt.Errorf("cube %d has %d literals: want at most %d", i+1, len(cube), MaxCube)
		}
	}
	return nil
}

// create simplifies the formula, stores the simplified one and creates the key "run".
func (c *coordinator) create(ctx context.Context, checksum string) (err error) {
	if c.results.stream.CachedInfo().State.Msgs > 0 {
		return fmt.Errorf("the stream %s has results, and the key %s of its run is lost", c.names.ResultsStream(), KeyRun)
	}
	record := &RunRecord{Version: Version, Run: c.identity, Sum: checksum, Segments: c.o.segments()}
	if c.base, err = c.simplify(ctx, record); err != nil {
		return err
	}
	return retry(ctx, func(ctx context.Context) error {
		_, err := c.state.Create(ctx, KeyRun, Encode(record))
		if errors.Is(err, jetstream.ErrKeyExists) { // an attempt before succeeded
			return nil
		}
		return err
	})
}

// reopen reads the record of a run and its simplified formula.
func (c *coordinator) reopen(ctx context.Context, value []byte) (err error) {
	record := new(RunRecord)
	if err := Decode(value, record); err != nil {
		return fmt.Errorf("key %s: %w", KeyRun, err)
	}
	if record.Run != c.identity {
		return fmt.Errorf("the run %q of this server is one of %s; use another directory of the server, or choose another name", c.o.Name, c.difference(record))
	}
	c.resumed = true
	c.base, err = c.readSimplified(ctx, record)
	return err
}

// difference describes a run with this name and another identity.
func (c *coordinator) difference(r *RunRecord) string {
	switch {
	case r.Sum != portfolio.Checksum(c.o.Formula):
		return "another formula"
	case r.Segments != c.o.segments():
		return "the same formula, in which results " + map[bool]string{true: "have", false: "have no"}[r.Segments] + " proofs"
	}
	return "the same formula with other cubes"
}

// readExcluded reads the names of excluded workers.
func (c *coordinator) readExcluded(ctx context.Context) error {
	return c.persist(ctx, func(ctx context.Context) error {
		w, err := c.state.Watch(ctx, KeyExcluded+"*")
		if err != nil {
			return fmt.Errorf("excluded workers: %w", err)
		}
		defer w.Stop()
		for entry := range w.Updates() {
			if entry == nil { // after the keys that are there
				return nil
			}
			c.workers.excluded[strings.TrimPrefix(entry.Key(), KeyExcluded)] = string(bytes.ToValidUTF8(entry.Value(), nil))
		}
		return context.Cause(ctx)
	})
}

// replay reads RESULTS and ACCEPTED, and applies the results: first the splits in the
// order of RESULTS, then the accepted results in the order of ACCEPTED. The other results
// wait for checkers.
func (c *coordinator) replay(ctx context.Context) error {
	records, err := c.readResults(ctx)
	if err != nil {
		return err
	}
	records = slices.DeleteFunc(records, func(r *record) bool { return !c.admit(r, true) })
	c.results.known = len(records)
	known, waiting, err := c.replayAccepted(ctx, records)
	if err != nil {
		return err
	}
	c.replayTree(known)
	for _, r := range waiting {
		switch why := c.workers.excluded[r.msg.Worker]; {
		case r.refused:
		case why != "" && !r.split():
			c.refuse(r, fmt.Errorf("its worker %s is excluded", r.msg.Worker))
		default:
			c.process(r, true)
		}
	}
	return nil
}

// forgetAnswer deletes the answer of an earlier coordinator if the results do not give it,
// because some are lost or must be checked again. Workers would leave, and cubes may be open.
func (c *coordinator) forgetAnswer(ctx context.Context) error {
	if !c.needed() {
		return nil
	}
	return c.persist(ctx, func(ctx context.Context) error {
		return c.state.Delete(ctx, KeyAnswer)
	})
}

// A knownResult is a result that the tree gets at the start.
type knownResult struct {
	record *record
	result portfolio.Result // with the final id of its clause
}

// replayTree applies results to the tree. A result that does not apply is one that the
// earlier coordinator has not refused yet. It is refused, so that the run can continue.
func (c *coordinator) replayTree(known []knownResult) {
	results := make([]portfolio.Result, len(known))
	for i := range known {
		results[i] = known[i].result
	}
	for {
		err := c.tree.Replay(results)
		wrong := (*portfolio.ReplayError)(nil)
		if !errors.As(err, &wrong) {
			return
		}
		if r := known[wrong.Index].record; r.accepted {
			c.o.Log("result %d of worker %s does not apply: %v", r.seq, r.msg.Worker, wrong.Err)
		} else {
			r.refused = true
			c.refuse(r, wrong.Err)
		}
		results, known = results[wrong.Index+1:], known[wrong.Index+1:]
	}
}

// purgeInterval is the time between two purges of interrupted uploads.
const purgeInterval = 10 * time.Minute

// purgeObjects deletes the chunks of interrupted uploads, now and from time to time.
func (c *coordinator) purgeObjects(ctx context.Context) {
	for {
		if n, err := c.objects.purgeAbandoned(ctx, abandoned); err == nil && n > 0 {
			c.inbox.post(func() { c.o.Log("%d interrupted uploads are deleted", n) })
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(purgeInterval):
		}
	}
}
