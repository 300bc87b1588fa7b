// Command site makes a static site of the documentation: the Markdown files of the
// repository as HTML pages that open without a server and without a network.
//
//	go run ./docs/site OUT
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./docs/site OUT    (in the root of the repository)")
		os.Exit(2)
	}
	n, err := build(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages: open %s/index.html\n", n, os.Args[1])
}
