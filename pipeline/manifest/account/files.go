package account

import (
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// How reading an input file ended.
const (
	FileClean      = "clean"
	FileDamaged    = "damaged"    // records were truncated or guessed, bytes were skipped, or half of the file or more is padding
	FileUnreadable = "unreadable" // the file was refused, or has bytes and no record
)

// File is the account of an input file: Size = BytesUnits + BytesGaps + BytesLost. If the
// run reads a range of the file only, Size is that of the range.
type File struct {
	schemas.Input
	Name, URL string
	Size      int64
	Items     int
	BytesLost int64 // bytes of items that were given up, or of a refused file
	Status    string
	Reason    string // why the file was refused
}

// AddInput adds the counts of what was read from a file to the sum of that file.
func AddInput(to map[int]*schemas.Input, in *schemas.Input) {
	sum := to[in.File]
	if sum == nil {
		sum = &schemas.Input{File: in.File}
		to[in.File] = sum
	}
	sum.Records += in.Records
	sum.Pages += in.Pages
	sum.Refused += in.Refused
	sum.BytesUnits += in.BytesUnits
	sum.BytesGaps += in.BytesGaps
	AddMap(&sum.ByType, in.ByType)
	AddMap(&sum.Defects, in.Defects)
}

// Files returns the account of every input file of a finished run, in the order of the
// plan. ok is false if the manifest has no accounts of files.
func Files(m *schemas.Manifest) (files []File, ok bool) {
	read := map[int]*schemas.Input{}
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Counts.Bytes > 0 && len(p.Inputs) == 0 {
			return nil, false
		}
		for j := range p.Inputs {
			AddInput(read, &p.Inputs[j])
		}
	}
	for i := range m.Run.Files {
		from := &m.Run.Files[i]
		f := File{Input: schemas.Input{File: i}, Name: from.Name, URL: from.URL, Size: from.Length(), Items: from.Items, Reason: from.Refused}
		if f.Name == "" {
			f.Name = schemas.FileNames(from.URL)[0]
		}
		if in := read[i]; in != nil {
			f.Input = *in
		}
		f.BytesLost = max(0, f.Size-f.BytesUnits-f.BytesGaps) // a range may be left by its last record
		f.Status = f.status()
		files = append(files, f)
	}
	return files, true
}

func (f *File) status() string {
	worst := warc.Note
	for code := range f.Defects {
		worst = max(worst, warc.Code(code).Severity())
	}
	switch {
	case f.Reason != "", f.Records == 0 && f.Size > 0:
		return FileUnreadable
	case f.BytesLost > 0, worst > warc.Note, f.BytesGaps > 0 && f.BytesGaps >= f.BytesUnits:
		return FileDamaged
	}
	return FileClean
}
