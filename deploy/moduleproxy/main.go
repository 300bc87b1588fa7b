// Command moduleproxy writes the modules in a folder, such as the last commit of the repository,
// as a version into another that can serve as a Go module proxy. An installation is tried
// with it before there is a tag:
//
//	mkdir /tmp/source && git archive HEAD | tar -x -C /tmp/source
//	go run ./deploy/moduleproxy v0.1.0 /tmp/source /tmp/proxy
//	GOPROXY=file:///tmp/proxy,$(go env GOPROXY) GONOSUMDB=github.com/winnow go install github.com/winnow/winnow/cmd/winnow@v0.1.0
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: moduleproxy VERSION SOURCE PROXY")
		os.Exit(2)
	}
	for _, folder := range []string{"", "peers"} {
		if err := write(os.Args[1], filepath.Join(os.Args[2], folder), os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, "moduleproxy:", err)
			os.Exit(1)
		}
	}
}

// write writes the module of a folder. Modules in folders below it are not part of it.
func write(version, folder, out string) error {
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return err
	}
	m := module.Version{Path: modfile.ModulePath(mod), Version: version}
	if err := module.Check(m.Path, m.Version); err != nil {
		return err
	}
	dir := filepath.Join(out, filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	archive, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		return err
	}
	defer archive.Close()
	if err := zip.CreateFromDir(archive, m, folder); err != nil {
		return err
	}
	for name, content := range map[string]string{
		"list": version + "\n", version + ".info": fmt.Sprintf("{%q:%q}\n", "Version", version), version + ".mod": string(mod),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			return err
		}
	}
	return archive.Close()
}
