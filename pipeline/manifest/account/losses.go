package account

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// Loss describes the parts of one input file that were not read, or not completely.
type Loss struct {
	File    string   `json:"file"`
	Bytes   int64    `json:"bytes"` // stored bytes that are in no record, or in one that is damaged
	Reasons []string `json:"reasons"`
}

// Losses returns the losses of a run, by the names of the files, as found in the rows of
// its failures table. Every byte is counted once. If a file has more defects than rows,
// its account gives the lower bound of the bytes.
func Losses(m *schemas.Manifest, failures iter.Seq2[*schemas.Failure, error]) ([]Loss, error) {
	byFile := map[string]*span{}
	for row, err := range failures {
		if err != nil {
			return nil, err
		}
		if !isLoss(row) {
			continue
		}
		s := byFile[row.File]
		if s == nil {
			s = &span{Loss: Loss{File: strings.Clone(row.File)}}
			byFile[s.File] = s
		}
		length := row.Length
		if row.Stage == "index" {
			length = 0 // the index is wrong, so the length that it states is not counted
		}
		s.add(row.Offset, length, row.Reason)
	}
	files, _ := Files(m)
	for i := range files {
		f := &files[i]
		var reasons []string
		for code := range f.Defects {
			if warc.Code(code).Loses() {
				reasons = append(reasons, code)
			}
		}
		bytes := f.BytesLost
		if f.Defects[string(warc.Padding)] == 0 {
			bytes += f.BytesGaps // gaps of a file without padding are damage
		}
		if bytes > 0 || len(reasons) > 0 {
			s := byFile[f.URL]
			if s == nil {
				s = &span{Loss: Loss{File: f.URL}}
				byFile[f.URL] = s
			}
			s.Bytes = max(s.Bytes, bytes)
			for _, r := range reasons {
				s.reason(r)
			}
		}
	}
	var losses []Loss
	for _, s := range byFile {
		slices.Sort(s.Reasons)
		losses = append(losses, s.Loss)
	}
	slices.SortFunc(losses, func(a, b Loss) int { return cmp.Compare(a.File, b.File) })
	return losses, nil
}

// isLoss reports whether a row is about bytes of a file, or about a line of an index that
// leads to no record. Rows about a record that was read and refused are counted as such.
func isLoss(row *schemas.Failure) bool {
	switch row.Stage {
	case "item", "file", "index":
		return true
	case "read":
		return warc.Code(row.Reason).Loses()
	}
	return false
}

// span adds up ranges of a file, which must come in ascending order of their starts,
// and counts every byte once.
type span struct {
	Loss
	end int64
}

func (s *span) add(offset, length int64, reason string) {
	if from, to := max(offset, s.end), offset+length; to > from {
		s.Bytes += to - from
		s.end = to
	}
	s.reason(reason)
}

func (s *span) reason(r string) {
	if r != "" && !slices.Contains(s.Reasons, r) {
		s.Reasons = append(s.Reasons, strings.Clone(r))
	}
}

// LossesShown is how many files a summary and a log name at most; the failures table
// has all.
const LossesShown = 20
