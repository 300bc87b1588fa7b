// Package answers gives back the recorded output of any extractor, page by page, as a program
// that speaks the extractor protocol, so that it is scored without being run:
//
//	r, err := answers.Open("texts.jsonl.zst")
//	defer r.Close()
//	err = r.Serve(os.Stdin, os.Stdout, answers.Skip)
//
// A recording is a file of JSON lines, plain, gzip or Zstandard, or a folder:
//
//	{"id":"17","text":"Grain\nand chaff"}                     document 17 of any package
//	{"id":"cleaneval-dev/17","text":""}                       of this package; nothing was found
//	{"url":"http://example.org/","text":"Grain"}              pages of this address
//	FOLDER/17.txt   FOLDER/cleaneval-dev/17.txt               the same as a folder
//
// The texts stay on disk. In memory are 40 bytes or so for each, so tens of millions of answers fit into
// what a program may take. A compressed file is decompressed into a temporary one.
package answers
