// Command notebook runs the code cells of a Jupyter notebook one after the other, as
// "jupyter nbconvert --execute" does, and writes their output into it. It needs python3,
// and no package besides Python's own.
//
//	go run ./examples/notebook examples/questions.ipynb    (in the root of the repository)
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./examples/notebook NOTEBOOK    (in the root of the repository)")
		os.Exit(2)
	}
	if err := execute(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "notebook:", err)
		os.Exit(1)
	}
}
