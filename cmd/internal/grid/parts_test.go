package grid

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sator/dimacs/proof"
)

// A part is a changed part of a stored message.
type part struct{ what, text string }

// partsOf changes each part of a message in JSON.
func partsOf(text string) (all []part) {
	all = append(all, part{"text behind the value", text + "{}"}, part{"array", "[" + text + "]"})
	for _, m := range regexp.MustCompile(`"([a-z0-9]+)":\[?(.)`).FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		all = append(all, part{"name of " + name, text[:m[2]] + "other" + text[m[3]:]}, part{"member before " + name, text[:m[0]] + `"more":1,` + text[m[0]:]})
		switch c := text[m[4]]; {
		case c == '"':
			all = append(all, part{name, text[:m[5]] + "z" + text[m[5]:]})
		case '0' <= c && c <= '9':
			all = append(all, part{name, text[:m[4]] + "1" + text[m[4]:]})
		case c == 't':
			all = append(all, part{name, text[:m[4]] + "false" + text[m[4]+len("true"):]})
		}
	}
	return all
}

// TestParts changes each part of each message that a run stores. Each change makes another
// message or an error. A run whose record is changed is not continued.
func TestParts(t *testing.T) {
	s := startServer(t)
	r := serve(t, s, smallOptions())
	r.work()
	r.wait()
	names := r.names()
	js, err := jetstream.New(s.connect())
	must(t, err)
	state, err := js.KeyValue(t.Context(), names.StateBucket())
	must(t, err)

	rows := 0
	check := func(what string, data []byte, empty func() message) {
		t.Helper()
		want := empty()
		must(t, Decode(data, want))
		for _, p := range partsOf(string(data)) {
			rows++
			got := empty()
			if err := Decode([]byte(p.text), got); err == nil && reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: the change has no effect in %s", what, p.what, p.text)
			}
		}
	}
	for key, empty := range map[string]func() message{KeyRun: func() message { return new(RunRecord) }, KeyAnswer: func() message { return new(AnswerRecord) }} {
		entry, err := state.Get(t.Context(), key)
		must(t, err)
		check(key, entry.Value(), empty)
	}
	for name, empty := range map[string]func() message{names.ResultsStream(): func() message { return new(ResultMessage) }, names.AcceptedStream(): func() message { return new(AcceptedMessage) }} {
		stream, err := js.Stream(t.Context(), name)
		must(t, err)
		m, err := stream.GetMsg(t.Context(), stream.CachedInfo().State.FirstSeq)
		must(t, err)
		check(name, m.Data, empty)
	}
	if rows < 100 {
		t.Errorf("only %d rows", rows)
	}

	entry, err := state.Get(t.Context(), KeyRun)
	must(t, err)
	for _, p := range partsOf(string(entry.Value())) {
		if !json.Valid([]byte(p.text)) {
			continue
		}
		_, err := state.Put(t.Context(), KeyRun, []byte(p.text))
		must(t, err)
		o := r.o
		said := ""
		o.Log = func(format string, args ...any) { said += fmt.Sprintf(format, args...) }
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		o.Ready = nil
		a, err := Serve(ctx, s.connect(), o)
		if err == nil {
			err = a.WriteProof(ctx, proof.NewWriter(io.Discard, proof.BinaryLRAT, o.Formula.Len()))
		}
		if err == nil && strings.TrimSpace(said) == "" {
			t.Errorf("%s: the run is continued to %v, in spite of the record %s", p.what, a.Status, p.text)
		}
		cancel()
	}
}
