package hub

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
)

// Users and their rights.
//
// A process connects as the user of its role. The table rights is the only list of
// subjects that a role may publish and receive: the embedded server and the configuration
// of other servers are derived from it. Everything else is denied.
//
// Workers and checkers create no streams, delete nothing, read no inbox but that of their
// role, and receive no messages of each other. Some gaps remain:
// all workers of a run have one user, so a worker can acknowledge another worker's task,
// replace the description of an object, and let the server deliver tasks to a subject of its
// choice, since NATS does not check the subject of an answer.
// This disturbs a run but changes no answer: a result is stored once, objects have a
// checksum in the message that refers to them, and refutations are checked. Checkers are
// believed, so a run with workers of strangers needs another password for checkers, or a
// proof that is checked at the end.

// A Role is the part of a process in a run. Its name is the name of the user.
type Role string

// The roles.
const (
	Coordinator Role = "coordinator"
	Worker      Role = "worker"
	Checker     Role = "checker"
	Status      Role = "status"
)

// Roles lists the roles.
var Roles = []Role{Coordinator, Worker, Checker, Status}

// A Right allows some roles to publish on subjects or to subscribe to them.
type Right struct {
	Roles     []Role
	Subscribe bool   // subscribe; otherwise publish
	Subject   string // a NATS subject; <run> stands for the name of the run, <stream> for each of its streams
}

// Sets of roles, for the table.
var (
	coordinator = []Role{Coordinator}
	worker      = []Role{Worker}
	checker     = []Role{Checker}
	status      = []Role{Status}
	helpers     = []Role{Worker, Checker}
	clients     = []Role{Worker, Checker, Status}
)

const (
	publish   = false
	subscribe = true
)

// rights is the table of rights. Rights of the coordinator on streams are added by
// streamRights, inboxes by inbox.
var rights = []Right{
	// Messages that are not stored.
	{helpers, publish, "sator.<run>.hello"},     // asks for the run
	{helpers, publish, "sator.<run>.presence"},  // reports what it does
	{helpers, subscribe, "sator.<run>.ping"},    // is asked to report at once
	{helpers, subscribe, "sator.<run>.cancel"},  // ends superfluous work
	{worker, publish, "sator.<run>.share"},      // shares clauses in a run without a proof
	{worker, subscribe, "sator.<run>.shared"},   // imports clauses of others
	{checker, subscribe, "sator.<run>.check.*"}, // is asked to check results
	{status, publish, "sator.<run>.status"},     // asks for the status
	{clients, publish, "$JS.API.INFO"},          // finds out whether there is JetStream

	// Tasks and results.
	{worker, publish, "$JS.API.CONSUMER.INFO.SATOR_<run>_TASKS.workers"},     // opens the queue of tasks
	{worker, publish, "$JS.API.CONSUMER.MSG.NEXT.SATOR_<run>_TASKS.workers"}, // pulls a task
	{worker, publish, "$JS.ACK.SATOR_<run>_TASKS.workers.>"},                 // acknowledges a task or reports progress
	{worker, publish, "$JS.ACK.*.*.SATOR_<run>_TASKS.workers.>"},             // the same, with the domain of a cluster
	{worker, publish, "sator.<run>.results.*"},                               // publishes a result
	{helpers, publish, "$JS.API.STREAM.INFO.SATOR_<run>_RESULTS"},            // opens the results
	{helpers, publish, "$JS.API.DIRECT.GET.SATOR_<run>_RESULTS"},             // reads a result by its number
	{helpers, publish, "$JS.API.DIRECT.GET.SATOR_<run>_RESULTS.>"},           // reads the result of a cube

	// The answer.
	{helpers, publish, "$JS.API.STREAM.INFO.KV_SATOR_<run>_STATE"},  // opens the bucket of the answer
	{helpers, publish, "$JS.API.DIRECT.GET.KV_SATOR_<run>_STATE.>"}, // reads the answer

	// Formulas, large models and segments.
	{helpers, publish, "$JS.API.STREAM.INFO.OBJ_SATOR_<run>_OBJECTS"},  // opens the bucket of objects
	{helpers, publish, "$JS.API.DIRECT.GET.OBJ_SATOR_<run>_OBJECTS"},   // reads an object
	{helpers, publish, "$JS.API.DIRECT.GET.OBJ_SATOR_<run>_OBJECTS.>"}, // reads the description of an object
	{worker, publish, "$O.SATOR_<run>_OBJECTS.C.*"},                    // stores a chunk of an object
	{worker, publish, "$O.SATOR_<run>_OBJECTS.M.*"},                    // stores the description of an object

	// The coordinator.
	{coordinator, publish, "sator.<run>.>"},            // all messages of the run
	{coordinator, subscribe, "sator.<run>.>"},          // all messages of the run
	{coordinator, publish, "$KV.SATOR_<run>_STATE.>"},  // stores the answer and the state
	{coordinator, publish, "$O.SATOR_<run>_OBJECTS.>"}, // stores objects
	{coordinator, publish, "$JS.API.INFO"},             // finds out whether there is JetStream
	{coordinator, publish, "$JS.API.STREAM.NAMES"},     // finds the streams of the run
}

// streams are the JetStream names of the streams and buckets of a run.
var streams = []string{
	"SATOR_<run>_RESULTS", "SATOR_<run>_ACCEPTED", "SATOR_<run>_TASKS",
	"KV_SATOR_<run>_STATE", "OBJ_SATOR_<run>_OBJECTS",
}

// streamRights are the rights of the coordinator on each stream; <stream> is its name.
var streamRights = []Right{
	{coordinator, publish, "$JS.API.STREAM.*.<stream>"},       // creates, changes, purges or deletes the stream
	{coordinator, publish, "$JS.API.STREAM.MSG.*.<stream>"},   // reads or removes a message
	{coordinator, publish, "$JS.API.DIRECT.GET.<stream>"},     // reads a message by its number
	{coordinator, publish, "$JS.API.DIRECT.GET.<stream>.>"},   // reads the last message of a subject
	{coordinator, publish, "$JS.API.CONSUMER.*.<stream>"},     // lists or creates consumers
	{coordinator, publish, "$JS.API.CONSUMER.*.<stream>.>"},   // creates, opens or deletes a consumer
	{coordinator, publish, "$JS.API.CONSUMER.*.*.<stream>.>"}, // pulls messages, creates a durable consumer
	{coordinator, publish, "$JS.ACK.<stream>.>"},              // acknowledges messages
	{coordinator, publish, "$JS.ACK.*.*.<stream>.>"},          // the same, with the domain of a cluster
	{coordinator, publish, "$JS.FC.<stream>.>"},               // flow control
	{coordinator, publish, "$JS.FC.*.*.<stream>.>"},           // flow control
}

// Rights returns the rights of a role in the run with the given name, without inboxes:
// each role subscribes to the inboxes that begin with [InboxPrefix]. The coordinator and
// checkers may also answer requests, which is not in the list.
func Rights(r Role, run string) []Right {
	var list []Right
	for _, right := range rights {
		list = right.addTo(list, r, run, "")
	}
	for _, s := range streams {
		for _, right := range streamRights {
			list = right.addTo(list, r, run, s)
		}
	}
	return list
}

// addTo appends a right to a list if the role has it.
func (x Right) addTo(list []Right, r Role, run, stream string) []Right {
	if !slices.Contains(x.Roles, r) {
		return list
	}
	x.Roles = []Role{r}
	x.Subject = strings.NewReplacer("<run>", run, "<stream>", strings.ReplaceAll(stream, "<run>", run)).Replace(x.Subject)
	return append(list, x)
}

// InboxPrefix returns the prefix of the subjects on which a role receives answers.
func InboxPrefix(r Role) string { return "_INBOX." + string(r) }

// answers reports whether a role may answer requests.
func answers(r Role) bool { return r == Coordinator || r == Checker }

// permissions returns the rights of a role in the form of the server.
func permissions(r Role, run string) *server.Permissions {
	p := &server.Permissions{
		Publish:   &server.SubjectPermission{},
		Subscribe: &server.SubjectPermission{Allow: []string{InboxPrefix(r) + ".>"}},
	}
	for _, x := range Rights(r, run) {
		if x.Subscribe {
			p.Subscribe.Allow = append(p.Subscribe.Allow, x.Subject)
		} else {
			p.Publish.Allow = append(p.Publish.Allow, x.Subject)
		}
	}
	if answers(r) {
		// A check may take hours, so the permission to answer does not expire.
		p.Response = &server.ResponsePermission{MaxMsgs: 1, Expires: -1}
	}
	return p
}

// WriteServerConfig writes the part of a configuration of nats-server that gives a
// foreign server or cluster the same users as an embedded server has. The tokens are
// passwords: the first one of the coordinator, the other one of all other roles.
func WriteServerConfig(w io.Writer, run string, first, others Token) error {
	b := new(strings.Builder)
	fmt.Fprintf(b, "accounts {\n  SATOR_%s {\n    jetstream: enabled\n    users: [\n", run)
	for _, r := range Roles {
		password := others
		if r == Coordinator {
			password = first
		}
		p := permissions(r, run)
		fmt.Fprintf(b, "      { user: %s, password: %q, permissions: {\n", r, string(password))
		fmt.Fprintf(b, "        publish: [%s]\n", quotedList(p.Publish.Allow))
		fmt.Fprintf(b, "        subscribe: [%s]\n", quotedList(p.Subscribe.Allow))
		if p.Response != nil {
			fmt.Fprintf(b, "        allow_responses: { max: %d, expires: \"-1s\" }\n", p.Response.MaxMsgs)
		}
		b.WriteString("      } }\n")
	}
	b.WriteString("    ]\n  }\n}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// quotedList returns texts in quotes, separated by commas.
func quotedList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(quoted, ", ")
}
