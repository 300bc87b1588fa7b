package source

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// chosen is the state of reading a selection. The zero chosen is for a file that is read
// without a selection.
type chosen struct {
	sel    *selection
	file   *selected // with the records of sel
	line   int       // number of the record in the selection that is expected next
	wrong  int       // number of wrong lines reported; all of them if the range does not begin the file
	held   bool      // rec was read, but not compared with the selection yet
	first  bool      // the range begins at the start of the file
	ending bool      // the range was read to its end
	kept   string    // what the index states about the record that was read last, see indexLine.keep
}

// begin prepares to read a range. It sets r.First to the offset of the range's first
// record, if that is not set.
func (c *chosen) begin(file *selected, r *Range) {
	sel := file.sel
	c.sel, c.file, c.first = sel, file, r.Start == 0
	if !c.first {
		c.wrong = len(sel.wrong)
	}
	if r.First < 0 {
		if i := sel.from(r.Start); i < len(sel.offsets) && sel.starts[i] < r.End {
			r.First = sel.starts[i]
		} else if r.Start > 0 {
			r.End = r.Start // no record starts in the range
		}
	}
	if r.First >= 0 {
		c.line = sel.from(r.First)
	} else {
		c.line = sel.from(r.Start)
	}
}

// account changes the offsets in the reader's summary into those of the real file, and
// adds the counts of the selection itself. First and Next remain offsets in the sequence
// of records.
func (c *chosen) account(a *warc.Summary) {
	a.Ledger = slices.Clone(a.Ledger)
	for i := range a.Ledger {
		a.Ledger[i].Offset = c.sel.real(a.Ledger[i].Offset)
	}
	if !c.first {
		return
	}
	a.Defects = maps.Clone(a.Defects)
	if a.Defects == nil {
		a.Defects = make(map[warc.Code]int64)
	}
	for code, n := range map[warc.Code]int64{countRepeated: c.sel.repeated, reasonOutside: c.sel.wrongAll[0], reasonOverlap: c.sel.wrongAll[1]} {
		if n > 0 {
			a.Defects[code] += n
		}
	}
}

// readChosen does the work of read for a file of which an index chose records.
func (s *WARC) readChosen() (wrong bool, err error) {
	c, sel := &s.chosen, s.chosen.sel
	if c.wrong < len(sel.wrong) {
		w := &sel.wrong[c.wrong]
		c.wrong++
		s.failure = indexFailure(w.offset, w.length, w.reason(), "")
		return true, nil
	}
	for {
		if !c.held && !c.ending {
			err := s.reader.Next(&s.rec)
			switch {
			case err == io.EOF:
				c.ending = true
			case err != nil:
				return false, err
			default:
				c.held, s.at = true, s.rec.Offset
			}
		}
		upTo := s.at
		if c.ending {
			upTo = s.reader.Summary().Next
		}
		if c.line < len(sel.offsets) && sel.starts[c.line] < upTo {
			s.failure = indexFailure(sel.offsets[c.line], sel.length(c.line), reasonNothing, "")
			c.line++
			return true, nil
		}
		if c.ending {
			return false, io.EOF
		}
		c.held = false
		s.rec.Offset = sel.real(s.at)
		if c.line >= len(sel.offsets) || sel.starts[c.line] != s.at || s.rec.Ordinal > 0 {
			s.account.notPage(countUnnamed)
			continue
		}
		want := sel.urls[c.line]
		c.kept = sel.kept[c.line]
		length := sel.length(c.line)
		c.line++
		if want != 0 && want != hashURL(s.rec.TargetURI) {
			s.account.notPage(reasonURL)
			s.failure = indexFailure(s.rec.Offset, s.rec.Length, reasonURL, fmt.Sprintf("the record is of %s", schemas.Shorten(s.rec.TargetURI, 200)))
			return true, nil
		}
		if s.named != nil {
			if s.rec.Length > 0 { // the line may say that it is longer
				length = min(length, s.rec.Length)
			}
			err := s.named(&NamedRecord{&s.rec, io.NewSectionReader(c.file, s.at, length), keptFields(c.kept)})
			if err != nil {
				return false, err
			}
		}
		if !s.wanted(s.rec.Header) {
			s.account.notPage(s.rec.Kind())
			continue
		}
		return false, nil
	}
}

// indexFailure returns the failure of a line of an index.
func indexFailure(offset, length int64, reason, detail string) schemas.Failure {
	return schemas.Failure{Offset: offset, Length: length, Stage: stageIndex, Reason: reason, Severity: warc.Lost.String(), Detail: detail}
}
