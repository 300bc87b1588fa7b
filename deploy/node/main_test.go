package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"":                            "--scripts is needed",
		"--scripts x more":            "no further arguments",
		"--scripts x --trials nosuch": "unknown trial",
		"--nosuch":                    "not defined",
	} {
		var out, words bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), &out, &words); code != 2 || !strings.Contains(words.String(), want) {
			t.Errorf("%s: exit code %d: %s", args, code, words.String())
		}
	}
}

// The kustomization of every trial can be built, and sets what the trial needs. The image
// of the broker is the one that the overlay names.
func TestKustomizations(t *testing.T) {
	overlay, err := filepath.Abs("../k8s/overlays/local")
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{options: options{work: t.TempDir(), overlay: overlay}}
	for _, trial := range trials {
		dir, err := l.kustomize(trial)
		if err != nil {
			t.Fatal(err)
		}
		objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
		if err != nil {
			t.Fatal(err)
		}
		text, err := objects.AsYaml()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"- /data/" + trial.inputs() + "\n", "WINNOW_RUN: " + trial.name + "\n", "WINNOW_OUT: /data/out/" + trial.name + "\n",
			"WINNOW_ITEM_SIZE: 16KB\n", "memory: " + trial.memory, "image: " + brokerImage + "\n"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("trial %s: no %q", trial.name, want)
			}
		}
	}
}
