// Newextractor adds an extractor to the source: a folder with documentation, code, tests and one
// golden case, and a line in the list of extractors.
//
//	go run ./internal/newextractor my-method
//
// The new extractor selects long texts, and everything about it is there to be changed.
// docs/guide/add-an-extractor.md goes on from there.
package main

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

//go:embed template
var template embed.FS

const (
	list    = "algorithms/suite/pagelevel/pagelevel.go"
	imports = "\t\"github.com/winnow/winnow/algorithms\"\n" // the first import of list
	end     = "\n\t}\n}\n"                                  // of list
)

// properName is what algorithms.ProperName accepts, where package names and Go identifiers
// allow it, too: the first character is a letter.
var properName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/newextractor NAME")
		os.Exit(2)
	}
	if err := add(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "newextractor:", err)
		os.Exit(1)
	}
}

// add writes the extractor's folder and its line in the list, below the working directory.
func add(name string) error {
	if !properName.MatchString(name) || token.IsKeyword(name) {
		return fmt.Errorf("the name %q must be lower-case words of letters and digits, with hyphens between them, and not a word of Go's own", name)
	}
	packageName := strings.ReplaceAll(name, "-", "")
	listed, err := addToList(packageName)
	if err != nil {
		return err
	}
	folder := path.Join("algorithms/extract", packageName)
	if _, err := os.Lstat(folder); err == nil {
		return fmt.Errorf("%s is there already", folder)
	}
	values := strings.NewReplacer("PACKAGE", packageName, "NAME", name, "YEAR", strconv.Itoa(time.Now().Year()))
	for _, file := range []struct{ from, to string }{
		{"doc.go.txt", "doc.go"},
		{"code.go.txt", packageName + ".go"},
		{"test.go.txt", packageName + "_test.go"},
		{"news.txtar", "testdata/news.txtar"},
	} {
		text, err := template.ReadFile("template/" + file.from)
		if err != nil {
			return err
		}
		to := filepath.Join(folder, file.to)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(values.Replace(string(text))), 0o666); err != nil {
			return err
		}
		fmt.Println(to)
	}
	if err := os.WriteFile(list, listed, 0o666); err != nil {
		return err
	}
	fmt.Println(list)
	return nil
}

// addToList returns the source of the list with an import and a line for a package.
func addToList(packageName string) ([]byte, error) {
	source, err := os.ReadFile(list)
	if err != nil {
		return nil, fmt.Errorf("the working directory must be the top of Winnow's source: %w", err)
	}
	if bytes.Count(source, []byte(imports)) != 1 || !bytes.HasSuffix(source, []byte(end)) {
		return nil, fmt.Errorf("%s does not have the form that this program knows", list)
	}
	source = append(bytes.TrimSuffix(source, []byte(end)), "\n\t\t"+packageName+".Extractor,"+end...)
	source = bytes.Replace(source, []byte(imports), []byte(imports+"\t\"github.com/winnow/winnow/algorithms/extract/"+packageName+"\"\n"), 1)
	return format.Source(source)
}
