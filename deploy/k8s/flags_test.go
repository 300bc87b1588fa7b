package k8s

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/winnow/winnow/pipeline/service"
)

// Every flag and every WINNOW_ variable in a manifest must be one that the program
// has, because a misspelt variable would be ignored silently.
func TestManifestsMatchThePrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: links a program")
	}
	programs := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", programs, "../../cmd/winnow").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	flags := map[string]map[string]bool{}
	anywhere := map[string]bool{}
	for _, name := range []string{"ingest", "worker", "aggregate"} {
		flags[name] = flagsOf(t, filepath.Join(programs, "winnow"), name)
		for f := range flags[name] {
			anywhere[service.EnvName(f)] = true
		}
	}
	for _, dir := range kustomizations {
		objects := build(t, dir)
		for _, o := range objects {
			if m, is := o.(*corev1.ConfigMap); is && strings.HasPrefix(m.Name, "winnow") {
				for key := range m.Data {
					if !anywhere[key] {
						t.Errorf("%s: %s is the variable of no flag", dir, key)
					}
				}
			}
			pod := podOf(o)
			if pod == nil || pod.Labels["app.kubernetes.io/name"] != "winnow" {
				continue
			}
			c := &pod.Spec.Containers[0]
			if len(c.Command) != 2 || c.Command[0] != "/usr/local/bin/winnow" || flags[c.Command[1]] == nil {
				t.Errorf("%s: %s runs %v, which is no stage", dir, o.GetName(), c.Command)
				continue
			}
			program := c.Command[1]
			for _, arg := range c.Args {
				if name, isFlag := strings.CutPrefix(arg, "--"); isFlag {
					if name, _, _ = strings.Cut(name, "="); !flags[program][name] {
						t.Errorf("%s: %s has no flag --%s", dir, program, name)
					}
				}
			}
			for _, e := range c.Env {
				if strings.HasPrefix(e.Name, "WINNOW_") && !anywhere[e.Name] {
					t.Errorf("%s: %s: %s is the variable of no flag", dir, program, e.Name)
				}
			}
		}
	}
}

var flagName = regexp.MustCompile(`(?m)^\s+(?:-\w, )?--([a-z0-9-]+)`)

// flagsOf asks the program itself for the flags of a verb.
func flagsOf(t *testing.T, program, verb string) map[string]bool {
	t.Helper()
	help, err := exec.Command(program, verb, "--help-all").Output()
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]bool{}
	for _, m := range flagName.FindAllSubmatch(help, -1) {
		flags[string(m[1])] = true
	}
	if !flags["help-all"] {
		t.Fatalf("winnow %s --help-all names no flag --help-all:\n%s", verb, help)
	}
	return flags
}
