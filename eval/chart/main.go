// Command chart draws docs/quality.svg from eval/quality.md: word F1 of some extractors on the
// pages of wcxb-dev against the pages that they answer in a second.
//
//	go -C eval run ./chart
package main

import (
	"bytes"
	"fmt"
	"os"
)

func main() {
	if err := run("quality.md", "../docs/quality.svg"); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

func run(figures, file string) error {
	text, err := os.ReadFile(figures)
	if err != nil {
		return err
	}
	points, err := read(text)
	if err != nil {
		return fmt.Errorf("read %s: %w", figures, err)
	}
	var b bytes.Buffer
	draw(&b, points)
	return os.WriteFile(file, b.Bytes(), 0o666)
}
