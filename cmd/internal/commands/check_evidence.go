package commands

import (
	"cmp"
	"context"
	"errors"
	"io"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dimacs/proof"
)

// An evidenceFormat is a value of --from.
type evidenceFormat struct {
	name     string
	evidence proof.Evidence
}

// evidenceFormats lists the values of --from.
var evidenceFormats = []evidenceFormat{
	{"drat", proof.Evidence{Kind: proof.KindProof, Format: proof.DRAT, Auto: true}},
	{"drat-text", proof.Evidence{Kind: proof.KindProof, Format: proof.DRAT}},
	{"drat-binary", proof.Evidence{Kind: proof.KindProof, Format: proof.BinaryDRAT}},
	{"lrat", proof.Evidence{Kind: proof.KindProof, Format: proof.LRAT, Auto: true}},
	{"lrat-text", proof.Evidence{Kind: proof.KindProof, Format: proof.LRAT}},
	{"lrat-binary", proof.Evidence{Kind: proof.KindProof, Format: proof.BinaryLRAT}},
	{"solution", proof.Evidence{Kind: proof.KindSolution}},
	{"cpog", proof.Evidence{Kind: proof.KindCount}},
}

func evidenceFormatNames() []string {
	return cli.Of(evidenceFormats, func(f evidenceFormat) string { return f.name })
}

// expectedEvidence returns the evidence that a value of --from names, or without
// --from evidence of any kind.
func expectedEvidence(name string) (proof.Evidence, error) {
	if name == "" {
		return proof.Evidence{}, nil
	}
	for _, f := range evidenceFormats {
		if f.name == name {
			return f.evidence, nil
		}
	}
	return proof.Evidence{}, cli.InvalidName("from", name, evidenceFormatNames())
}

// An evidenceFile is an open file of evidence with its kind.
type evidenceFile struct {
	proof.Evidence
	src   *cli.Stream // nil if the evidence is in memory
	whole io.Reader   // reads src from its beginning
}

func (x *evidenceFile) close() {
	if x.src != nil {
		x.src.Close()
	}
}

// openEvidence opens the evidence and recognizes its kind.
func (k *checkRun) openEvidence(ctx context.Context) (*evidenceFile, error) {
	src, err := k.Open(ctx, k.o.evidence)
	if err != nil {
		return nil, err
	}
	evidence, whole, err := proof.SniffEvidence(src, cli.Shown(k.o.evidence), k.o.expected)
	if err != nil {
		return nil, err
	}
	return &evidenceFile{evidence, src, whole}, nil
}

// archiveError returns the error of the archive if malformed or wrong evidence comes from
// a damaged archive, and err otherwise. The checksum of an archive is behind the data, so
// that the parser or the checker may fail before the damage is detected.
func (x *evidenceFile) archiveError(err error) error {
	var (
		syntax *dimacs.SyntaxError
		wrong  *proof.CheckError
	)
	if x.src != nil && (errors.As(err, &syntax) || errors.As(err, &wrong)) {
		return cmp.Or(x.src.Drain(), err)
	}
	return err
}
