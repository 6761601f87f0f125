package grid

import (
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Subjects, streams and buckets of a run. Several runs share a server or a cluster, so
// each name has the name of its run: NATS subjects begin with "sator.NAME.", JetStream
// names with "SATOR_NAME_".
//
// RESULTS is a file stream with one subject per cube. A subject holds at most one
// message, and a second one is refused instead of replacing the first, so each cube ends
// once. RESULTS is the only stream that a run cannot lose. ACCEPTED is a file stream with
// the order in which the coordinator accepted results; if it is lost, the results are
// checked again. TASKS is a work queue in memory. The coordinator deletes it at its start
// and fills it from its own queue.
//
// The sequence numbers of a new TASKS stream begin above those of all earlier ones: a
// late acknowledgement, which has the sequence number of a task in a lost stream, must
// not remove another task.

// Names are the subjects, streams and buckets of a run.
type Names struct{ run string }

// NamesOf returns the names of a run. A run name has 1 to 32 letters, digits, hyphens and
// underscores.
func NamesOf(run string) (Names, error) {
	if !validToken(run, 32, "-_") {
		return Names{}, fmt.Errorf("invalid run name %q: want 1 to 32 letters, digits, '-' and '_'", run)
	}
	return Names{run}, nil
}

// validToken reports whether a text has 1 to n characters, all of them ASCII letters,
// digits or one of the given characters.
func validToken(s string, n int, others string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		default:
			found := false
			for j := range len(others) {
				found = found || others[j] == c
			}
			if !found {
				return false
			}
		}
	}
	return len(s) > 0 && len(s) <= n
}

// Run returns the name of the run.
func (n Names) Run() string { return n.run }

func (n Names) subject(s string) string { return "sator." + n.run + "." + s }
func (n Names) stream(s string) string  { return "SATOR_" + n.run + "_" + s }

// Hello is the subject of requests with a [Hello], which the coordinator answers with a
// [Welcome].
func (n Names) Hello() string { return n.subject("hello") }

// Status is the subject of empty requests that the coordinator answers with a [Status].
func (n Names) Status() string { return n.subject("status") }

// Coordinator is the subject of requests by which a coordinator finds out at its start
// whether there is another one.
func (n Names) Coordinator() string { return n.subject("coordinator") }

// Cancel is the subject of [Cancel] messages, from the coordinator to all workers and
// checkers.
func (n Names) Cancel() string { return n.subject("cancel") }

// Presence is the subject of [Presence] messages, from workers and checkers to the
// coordinator.
func (n Names) Presence() string { return n.subject("presence") }

// Ping is the subject of empty messages, from the coordinator to all workers and
// checkers, which publish their presence at once.
func (n Names) Ping() string { return n.subject("ping") }

// Share is the subject of [Shared] messages from workers to the coordinator, in runs
// without segments.
func (n Names) Share() string { return n.subject("share") }

// Shared is the subject of [Shared] messages with clauses of accepted segments, from
// the coordinator to all workers.
func (n Names) Shared() string { return n.subject("shared") }

// Check is the subject of a [CheckRequest] to the checker with the given session name.
func (n Names) Check(session string) string { return n.subject("check." + session) }

// Result is the subject in RESULTS of the cube with the given hash.
func (n Names) Result(hash string) string { return n.subject("results." + hash) }

// AcceptedOrder is the subject of the stream ACCEPTED.
func (n Names) AcceptedOrder() string { return n.subject("accepted") }

// Task is the subject of the stream TASKS.
func (n Names) Task() string { return n.subject("tasks") }

// ResultsStream is the name of the stream RESULTS.
func (n Names) ResultsStream() string { return n.stream("RESULTS") }

// AcceptedStream is the name of the stream ACCEPTED.
func (n Names) AcceptedStream() string { return n.stream("ACCEPTED") }

// TasksStream is the name of the stream TASKS.
func (n Names) TasksStream() string { return n.stream("TASKS") }

// TasksConsumer is the name of the durable consumer of TASKS from which workers pull.
func (n Names) TasksConsumer() string { return "workers" }

// StateBucket is the name of the key-value bucket with the keys [KeyRun], [KeyAnswer],
// [KeyLease] and [KeyExcluded].
func (n Names) StateBucket() string { return n.stream("STATE") }

// ObjectBucket is the name of the bucket with formulas, large models and large segments.
func (n Names) ObjectBucket() string { return n.stream("OBJECTS") }

// Keys of the state bucket.
const (
	KeyRun      = "run"       // [RunRecord]: identity and simplified formula
	KeyAnswer   = "answer"    // [AnswerRecord]: created once, when the run has an answer
	KeyLease    = "lease"     // the coordinator that started last
	KeyExcluded = "excluded." // followed by the name of a worker: why it is excluded
)

// Durations of the protocol.
const (
	// DefaultHeartbeat is the time between two presence messages of a worker.
	DefaultHeartbeat = 2 * time.Second

	// DefaultAckWait is the time after which a task is delivered again if its worker has
	// reported no progress. Workers report it four times as often.
	DefaultAckWait = 20 * time.Second
)

// resultsConfig returns the configuration of RESULTS.
func (n Names) resultsConfig(replicas int) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:                 n.ResultsStream(),
		Description:          "results of cubes, one message per cube",
		Subjects:             []string{n.Result("*")},
		Storage:              jetstream.FileStorage,
		Discard:              jetstream.DiscardNew,
		DiscardNewPerSubject: true,
		MaxMsgsPerSubject:    1,
		MaxMsgSize:           MaxMessage,
		Replicas:             replicas,
		AllowDirect:          true,
		Duplicates:           time.Second, // unused: no message has an id
	}
}

// acceptedConfig returns the configuration of ACCEPTED.
func (n Names) acceptedConfig(replicas int) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:        n.AcceptedStream(),
		Description: "order in which results were accepted",
		Subjects:    []string{n.AcceptedOrder()},
		Storage:     jetstream.FileStorage,
		MaxMsgSize:  MaxMessage,
		Replicas:    replicas,
		AllowDirect: true,
		Duplicates:  time.Second,
	}
}

// tasksConfig returns the configuration of TASKS. The sequence number of its first task
// is first.
func (n Names) tasksConfig(replicas int, first uint64) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:        n.TasksStream(),
		Description: "cubes that wait for a worker or are being solved",
		Subjects:    []string{n.Task()},
		Retention:   jetstream.WorkQueuePolicy,
		Storage:     jetstream.MemoryStorage,
		MaxMsgSize:  MaxMessage,
		Replicas:    replicas,
		AllowDirect: true,
		FirstSeq:    first,
		Duplicates:  time.Second,
	}
}

// tasksConsumer returns the configuration of the consumer of TASKS.
func (n Names) tasksConsumer(wait time.Duration) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable:       n.TasksConsumer(),
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       wait,
		MaxDeliver:    -1,
		MaxAckPending: -1,
		MaxWaiting:    1 << 16, // pulls of waiting workers
		MemoryStorage: true,
	}
}

// stateConfig returns the configuration of the state bucket.
func (n Names) stateConfig(replicas int) jetstream.KeyValueConfig {
	return jetstream.KeyValueConfig{
		Bucket:       n.StateBucket(),
		Description:  "identity, coordinator and answer of a run",
		MaxValueSize: MaxMessage,
		Storage:      jetstream.FileStorage,
		Replicas:     replicas,
	}
}

// objectConfig returns the configuration of the object bucket.
func (n Names) objectConfig(replicas int) jetstream.ObjectStoreConfig {
	return jetstream.ObjectStoreConfig{
		Bucket:      n.ObjectBucket(),
		Description: "formulas, large models and large segments of proofs",
		Storage:     jetstream.FileStorage,
		Replicas:    replicas,
	}
}
