// Command winnow-peers runs today's extraction libraries for Go as extractors of Winnow. It
// speaks Winnow's extractor protocol on standard input and output:
//
//	go install github.com/winnow/winnow/peers/winnow-peers@latest
//	winnow run --extractors winnow,trafilatura --extractor-command 'trafilatura=winnow-peers trafilatura' INPUT...
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/winnow/winnow/peers/extractor"
	"github.com/winnow/winnow/peers/library"
)

func main() {
	if len(os.Args) == 2 {
		for _, l := range library.All {
			if l.Name == os.Args[1] {
				hello := extractor.Hello{Name: l.Name, Version: version(l.Module), Citation: l.Citation}
				os.Exit(extractor.Serve(hello, os.Stdin, os.Stdout, l.Extract))
			}
		}
	}
	fmt.Fprintln(os.Stderr, "usage: winnow-peers NAME\n\nNAME is one of:")
	for _, l := range library.All {
		fmt.Fprintf(os.Stderr, "  %-22s %s\n", l.Name, l.Doc)
	}
	os.Exit(2)
}

// version returns the version of a module in this program.
func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	if info != nil {
		for _, d := range info.Deps {
			if d.Path == module {
				return d.Version
			}
		}
	}
	return "unknown"
}
