package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"sator/cmd/internal/version"
)

// The container image, in the format of the Open Container Initiative (OCI image
// specification 1.0): a tar archive with an image layout, for "podman load -i" and "docker
// load -i". The image has the program sator alone, on no other image ("scratch"). An
// index names an image for each architecture.

// A layer is the tree of files of an image, for a system.
type layer struct {
	system system
	tar    []byte
}

// descriptor is a reference to a blob of the image by its checksum.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// imageConfig says how a container runs.
type imageConfig struct {
	Created      time.Time `json:"created"`
	Architecture string    `json:"architecture"`
	OS           string    `json:"os"`
	Config       struct {
		Entrypoint []string          `json:"Entrypoint"`
		WorkingDir string            `json:"WorkingDir"`
		Labels     map[string]string `json:"Labels"`
	} `json:"config"`
	RootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

const (
	mediaIndex    = "application/vnd.oci.image.index.v1+json"
	mediaManifest = "application/vnd.oci.image.manifest.v1+json"
	mediaConfig   = "application/vnd.oci.image.config.v1+json"
	mediaLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// layer returns the files of the image for a system: the program sator, its
// working folder data, and a folder for temporary files.
func (p *plan) layer(s system, programs []file) layer {
	files := []file{
		programs[0],
		{name: "data", mode: 0o755, dir: true},
		{name: "tmp", mode: 0o1777, dir: true},
	}
	return layer{s, tarred(files, p.date)}
}

// image returns the image of one or more layers, each for another architecture.
func (p *plan) image(layers []layer) []byte {
	var files []file
	// add adds a blob and returns a reference to it.
	add := func(mediaType string, data []byte) descriptor {
		sum := fmt.Sprintf("%x", sha256.Sum256(data))
		files = append(files, file{name: "blobs/sha256/" + sum, mode: 0o644, data: data})
		return descriptor{MediaType: mediaType, Digest: "sha256:" + sum, Size: len(data)}
	}
	var manifests []descriptor
	for _, l := range layers {
		config := imageConfig{Created: p.date, Architecture: l.system.arch, OS: l.system.os}
		config.Config.Entrypoint = []string{"/sator"}
		config.Config.WorkingDir = "/data"
		config.Config.Labels = map[string]string{
			"org.opencontainers.image.title":   "sator",
			"org.opencontainers.image.version": version.Number,
		}
		config.RootFS.Type = "layers"
		config.RootFS.DiffIDs = []string{fmt.Sprintf("sha256:%x", sha256.Sum256(l.tar))}
		manifest := add(mediaManifest, encode(map[string]any{
			"schemaVersion": 2,
			"mediaType":     mediaManifest,
			"config":        add(mediaConfig, encode(config)),
			"layers":        []descriptor{add(mediaLayer, compress(l.tar))},
		}))
		manifest.Platform = &platform{l.system.arch, l.system.os}
		manifests = append(manifests, manifest)
	}
	// Podman and docker take the name from the reference to the index of architectures.
	images := add(mediaIndex, encode(map[string]any{"schemaVersion": 2, "mediaType": mediaIndex, "manifests": manifests}))
	images.Annotations = map[string]string{
		"org.opencontainers.image.ref.name": version.Number,
		"io.containerd.image.name":          "localhost/sator:" + version.Number,
	}
	files = append(files,
		file{name: "oci-layout", mode: 0o644, data: encode(map[string]string{"imageLayoutVersion": "1.0.0"})},
		file{name: "index.json", mode: 0o644, data: encode(map[string]any{"schemaVersion": 2, "mediaType": mediaIndex, "manifests": []descriptor{images}})},
	)
	return tarred(files, p.date)
}

// encode returns v as JSON. The keys of maps are sorted.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	must(err)
	return data
}
