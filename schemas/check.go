package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Bounds on the values in a message. The sum of the largest allowed count over a hundred
// thousand items still fits into 64 bits.
const (
	maxCount  = 1 << 45 // largest count of records, rows, bytes or anything else
	maxKeys   = 10_000  // keys of a map of counts
	maxKey    = 1000    // bytes of a key
	maxText   = 1 << 16 // bytes of a URL, name, reason or detail
	maxShards = 16      // shards of one item
	maxFiles  = 1 << 31 // files of one run, and items of one file
)

// Phases are all phases, in the order in which a run has them.
var Phases = []Phase{PhaseScan, PhaseLearn, PhaseExtract}

// DecodeItem reads an item and verifies every field.
func DecodeItem(data []byte) (*Item, error) { return decode("item", data, (*Item).Check) }

// DecodeDone reads a report and verifies every field. The caller has to verify that the
// report fits the run's plan and recipe.
func DecodeDone(data []byte) (*Done, error) { return decode("report", data, (*Done).Check) }

// DecodeDead reads a dead letter and verifies every field.
func DecodeDead(data []byte) (*Dead, error) { return decode("dead letter", data, (*Dead).Check) }

// DecodeRun reads the head of a run, or a whole run, and verifies every field.
func DecodeRun(data []byte) (*Run, error) { return decode("run", data, (*Run).Check) }

// About returns the item that a report or a dead letter is about, even if other fields
// of the message are wrong. It returns nil if the message has no valid item.
func About(data []byte) *Item {
	var m struct {
		Item Item `json:"item"`
	}
	if json.Unmarshal(data, &m) != nil || m.Item.Check() != nil {
		return nil
	}
	return &m.Item
}

func decode[T any](what string, data []byte, check func(*T) error) (*T, error) {
	v := new(T)
	err := json.Unmarshal(data, v)
	if err == nil {
		err = check(v)
	}
	if err != nil {
		return nil, fmt.Errorf("schemas: %s: %w", what, err)
	}
	return v, nil
}

// Check verifies that the fields of an item are consistent.
func (i *Item) Check() error {
	if err := checkVersion(i.Version); err != nil {
		return err
	}
	if err := i.Run.Check(); err != nil {
		return err
	}
	switch {
	case !isToken(i.Hash, 64):
		return fmt.Errorf("recipe hash %.80q: must be 1 to 64 letters and digits", i.Hash)
	case !slices.Contains(Phases, i.Phase):
		return fmt.Errorf("unknown phase %.50q", string(i.Phase))
	case i.Seq < 0 || i.Seq >= maxFiles:
		return fmt.Errorf("there is no item %d", i.Seq)
	case i.Phase == PhaseLearn && i.File != FileRange{}, i.Phase != PhaseLearn && i.Sites != SiteRange{}:
		return fmt.Errorf("item %d of phase %s: an item of the phase learn must have sites and no file, any other item a file and no sites", i.Seq, i.Phase)
	case i.Phase == PhaseLearn:
		return i.Sites.check(i.Hash, i.Seq)
	}
	return i.File.check(i.Seq)
}

func (s SiteRange) check(hash string, seq int) error {
	file, ok := strings.CutPrefix(s.Candidates, ShardFolder+"/"+hash+"/")
	if !ok || !candidates.MatchString(file) {
		return fmt.Errorf("item %d of phase learn: %.200q is not a file of sorted candidates of the run", seq, s.Candidates)
	}
	return checkTexts(s.From)
}

func (f *FileRange) check(seq int) error {
	switch {
	case f.Index < 0 || f.Index >= maxFiles:
		return fmt.Errorf("there is no item %d of file %d", seq, f.Index)
	case f.Start < 0 || f.End < f.Start || f.End > f.Total:
		return fmt.Errorf("item %d of file %d: range [%d,%d) does not lie within %d bytes", seq, f.Index, f.Start, f.End, f.Total)
	case f.First < -1 || f.First >= 0 && (f.First < f.Start || f.First >= max(f.End, f.Start+1)):
		return fmt.Errorf("item %d of file %d: range [%d,%d) cannot begin at %d", seq, f.Index, f.Start, f.End, f.First)
	}
	if err := errors.Join(f.Selection.check(f.Total), f.Within.check(f.Size)); err != nil {
		return fmt.Errorf("item %d of file %d: %w", seq, f.Index, err)
	}
	return checkTexts(f.URL, f.Name, f.Identity)
}

// Check verifies that the fields of a report are consistent.
func (d *Done) Check() error {
	it := &d.Item
	if err := checkVersion(d.Version); err != nil {
		return err
	}
	if err := errors.Join(it.Check(), checkTexts(d.Worker)); err != nil {
		return err
	}
	switch {
	case d.ID != it.ID():
		return fmt.Errorf("the report is about item %s, but its id is %.100q", it.ID(), string(d.ID))
	case d.Attempt < 0 || d.Elapsed < 0:
		return fmt.Errorf("item %s: attempt %d took %v: neither may be negative", d.ID, d.Attempt, d.Elapsed)
	case it.Phase == PhaseLearn && (d.First != 0 || d.Next != 0):
		return fmt.Errorf("item %s: a report about sites says that a file was read from %d to %d", d.ID, d.First, d.Next)
	case it.Phase == PhaseLearn: // such an item reads no range of a file
	case d.First < -1 || d.First < 0 && (d.Next < -1 || d.Next > it.File.Total):
		return fmt.Errorf("item %s: it cannot have been read from %d to %d", d.ID, d.First, d.Next)
	case d.First >= 0 && (d.First < it.File.Start || d.First >= max(it.File.End, it.File.Start+1) || d.Next < max(d.First, it.File.End) || d.Next > it.File.Total):
		return fmt.Errorf("item %s: range [%d,%d) of %d bytes cannot have been read from %d to %d", d.ID, it.File.Start, it.File.End, it.File.Total, d.First, d.Next)
	case it.File.First >= 0 && d.First != it.File.First:
		return fmt.Errorf("item %s: reading began at %d, want %d", d.ID, d.First, it.File.First)
	}
	switch {
	case (it.Phase == PhaseLearn) != (d.Learned != nil):
		return fmt.Errorf("item %s: a report of the phase learn, and no other, must have the account of learning; this one is of phase %s", d.ID, it.Phase)
	case len(d.Unverified) > MaxUnverified || !slices.IsSorted(d.Unverified):
		return fmt.Errorf("item %s: %d offsets of damaged units: there may be at most %d, in ascending order", d.ID, len(d.Unverified), MaxUnverified)
	case len(d.Shards) > maxShards:
		return fmt.Errorf("item %s: %d shards: there may be at most %d", d.ID, len(d.Shards), maxShards)
	}
	for i := range d.Shards {
		s := &d.Shards[i]
		if err := errors.Join(s.check(), s.checkName(it)); err != nil {
			return err
		}
		if slices.ContainsFunc(d.Shards[:i], func(o Shard) bool { return o.Table == s.Table && o.Ending() == s.Ending() }) {
			return fmt.Errorf("item %s: two shards of table %s with one ending", d.ID, s.Table)
		}
	}
	if n := len(d.Unverified); n > 0 && it.File.Selection == (Selection{}) && (d.Unverified[0] < d.First || d.Unverified[n-1] >= d.Next) {
		return fmt.Errorf("item %s: damaged units from %d to %d, but it was read from %d to %d", d.ID, d.Unverified[0], d.Unverified[n-1], d.First, d.Next)
	}
	if d.Learned != nil {
		if err := d.Learned.check(); err != nil {
			return fmt.Errorf("item %s: %w", d.ID, err)
		}
	}
	if err := d.Counts.Check(); err != nil {
		return fmt.Errorf("item %s: %w", d.ID, err)
	}
	return nil
}

func (l *Learned) check() error {
	return errors.Join(checkCount("sites", l.Sites), checkCountMap("statuses", l.Statuses))
}

// check verifies a shard's description, except for the name.
func (s *Shard) check() error {
	if len(s.SHA256) != 64 || strings.Trim(s.SHA256, "0123456789abcdef") != "" {
		return fmt.Errorf("shard %.200q: checksum %.80q: must be 64 hexadecimal digits", s.Name, s.SHA256)
	}
	return errors.Join(checkCount("rows of "+s.Name, s.Rows), checkCount("bytes of "+s.Name, s.Bytes))
}

// Check verifies that no count is negative or too large to be added up. It does not
// verify that the counts agree with one another, which depends on the recipe.
func (c *Counts) Check() error {
	for what, n := range map[string]int64{"records": c.Records, "pages": c.Pages, "pages with gold": c.WithGold, "bytes": c.Bytes, "bytes in units": c.BytesUnits,
		"bytes in gaps": c.BytesGaps, "bytes in empty units": c.BytesEmpty, "bytes of HTML": c.BytesHTML} {
		if err := checkCount(what, n); err != nil {
			return err
		}
	}
	for what, m := range map[string]map[string]int64{"records by type": c.ByType, "records that are not pages": c.NotHTML, "refused records": c.Refused,
		"defects": c.Defects, "outcomes": c.Outcomes, "scores that were not made": c.Unmade, "texts left out": c.LeftOut} {
		if err := checkCountMap(what, m); err != nil {
			return err
		}
	}
	return checkCountMap("rows", c.Rows)
}

// Check verifies that the fields of a dead letter are consistent.
func (d *Dead) Check() error {
	if err := checkVersion(d.Version); err != nil {
		return err
	}
	if err := errors.Join(d.Item.Check(), checkTexts(d.Stage, d.Reason, d.Detail)); err != nil {
		return err
	}
	switch {
	case d.Stage == "" || d.Reason == "":
		return fmt.Errorf("item %s: the dead letter has no stage or no reason", d.Item.ID())
	case d.Offset < 0 || d.Length < 0 || d.Attempts < 0 || d.Attempts > math.MaxInt32:
		return fmt.Errorf("item %s: offset %d, length %d, %d attempts: none of these may be negative, or too large", d.Item.ID(), d.Offset, d.Length, d.Attempts)
	}
	return nil
}

// Check verifies that the fields of a run are consistent. The head of a run has no files.
func (r *Run) Check() error {
	if err := checkVersion(r.Version); err != nil {
		return err
	}
	if err := errors.Join(r.ID.Check(), checkTexts(r.Out)); err != nil {
		return err
	}
	if err := r.Recipe.checkFacts(); err != nil {
		return fmt.Errorf("run %s: %w", r.ID, err)
	}
	if _, err := NewTextsBy(strings.Join(r.Recipe.TextsBy, ",")); err != nil { // values become names of folders, so they are verified again
		return fmt.Errorf("run %s: %w", r.ID, err)
	}
	if b := r.Recipe.Bulk; b != nil {
		if err := b.Check(); err != nil {
			return fmt.Errorf("run %s: %w", r.ID, err)
		}
	}
	phases := r.Phases
	if len(phases) == 0 {
		phases = Phases
	}
	for _, p := range phases {
		if !slices.Contains(Phases, p) {
			return fmt.Errorf("run %s: unknown phase %.50q", r.ID, string(p))
		}
	}
	switch {
	case !isToken(r.Hash, 64):
		return fmt.Errorf("run %s: recipe hash %.80q: must be 1 to 64 letters and digits", r.ID, r.Hash)
	case !slices.Contains(phases, r.Phase):
		return fmt.Errorf("run %s: the present phase %.50q is not among the run's phases", r.ID, string(r.Phase))
	case !slices.Contains([]RunState{RunPlanned, RunActive, RunDone, RunFailed, RunCanceled}, r.State):
		return fmt.Errorf("run %s: unknown state %.50q", r.ID, string(r.State))
	case r.Sealed.Files < 0 || r.Sealed.Items < 0 || r.Sealed.Bytes < 0 || r.ItemMax < 0 || r.Lease < 0:
		return fmt.Errorf("run %s: %d files, %d items, %d bytes, items of %d bytes, a lease of %v: none of these may be negative", r.ID, r.Sealed.Files, r.Sealed.Items, r.Sealed.Bytes, r.ItemMax, r.Lease)
	}
	for i := range r.Files {
		f := &r.Files[i]
		if f.Size < 0 || f.Items < 0 || f.Items >= maxFiles || int64(f.Items) > max(1, f.Length()) {
			return fmt.Errorf("run %s: file %.200q cannot have %d bytes in %d items", r.ID, f.URL, f.Size, f.Items)
		}
		if g := f.Range; g != (Range{}) && (g.Start < 0 || g.End <= g.Start || g.End > f.Size) {
			return fmt.Errorf("run %s: file %.200q has no range [%d,%d): it has %d bytes", r.ID, f.URL, g.Start, g.End, f.Size)
		}
		if err := errors.Join(f.Selection.check(f.Size), f.Within.check(f.Stored().Size), checkTexts(f.URL, f.Name, f.Identity, f.Refused, f.Detail)); err != nil {
			return fmt.Errorf("run %s: file %d: %w", r.ID, i, err)
		}
	}
	if r.RetryOf != nil {
		if err := errors.Join(r.RetryOf.Run.Check(), checkTexts(r.RetryOf.Out)); err != nil {
			return fmt.Errorf("run %s: the run that it retries: %w", r.ID, err)
		}
	}
	if c := r.Captures; c != nil {
		if err := c.check(); err != nil {
			return fmt.Errorf("run %s: captures: %w", r.ID, err)
		}
		if file, ok := strings.CutPrefix(c.Name, SelectionFolder+"/"); !ok || c.Table != TableCaptures || !selected.MatchString(file) {
			return fmt.Errorf("run %s: %.200q is not a table of captures", r.ID, c.Name)
		}
	}
	for i := range r.Skipped {
		if err := r.Skipped[i].check(); err != nil {
			return fmt.Errorf("run %s: skipped file %d: %w", r.ID, i, err)
		}
	}
	return nil
}

func (f *SkippedFile) check() error {
	if f.Size < 0 {
		return fmt.Errorf("%.200q cannot have %d bytes", f.URL, f.Size)
	}
	return errors.Join(f.Run.Check(), f.Within.check(f.Size), checkTexts(f.URL, f.Identity))
}

// Check verifies a manifest: the fields of the run, that the parts hold items of the
// plan, and that their files lie in the folders of their tables.
func (m *Manifest) Check() error {
	if err := checkVersion(m.Version); err != nil {
		return err
	}
	if err := errors.Join(m.Run.Check(), m.Totals.Check()); err != nil {
		return err
	}
	if len(m.Run.Recipe.Extractors) == 0 {
		return fmt.Errorf("run %s: the recipe has no extractors", m.Run.ID)
	}
	for i := range m.Parts {
		if err := m.Parts[i].check(i, &m.Run); err != nil {
			return err
		}
	}
	return errors.Join(m.Templates.check(&m.Run), checkDead(m.Dead))
}

func (t *Templates) check(run *Run) error {
	if t == nil {
		return nil
	}
	for i, s := range t.Items {
		if err := s.check(run.Hash, i); err != nil {
			return err
		}
	}
	return checkRanges(t.Ranges)
}

// check verifies part seq of a run.
func (p *Part) check(seq int, run *Run) error {
	if p.Seq != seq {
		return fmt.Errorf("part %d has the number %d", seq, p.Seq)
	}
	for i := range p.Files {
		s := &p.Files[i]
		if err := s.check(); err != nil {
			return fmt.Errorf("part %d: %w", seq, err)
		}
		name, ok := strings.CutPrefix(s.Name, string(s.Table)+"/")
		if !ok || s.Table == "" || name == "" || len(name) > maxKey || strings.ContainsAny(name, "/\\") && !IsPart(s.Table, s.Name) {
			return fmt.Errorf("part %d: %.200q is not a name for a file of table %.50q", seq, s.Name, string(s.Table))
		}
	}
	for i := range p.Items {
		c := &p.Items[i]
		if c.File < 0 || c.File >= len(run.Files) || c.Seq < 0 || c.Seq >= run.Files[c.File].Items {
			return fmt.Errorf("part %d: the plan has no item %d of file %d", seq, c.Seq, c.File)
		}
		if c.Pages < 0 || c.Elapsed < 0 {
			return fmt.Errorf("part %d: item %d of file %d has %d pages in %v: neither may be negative", seq, c.Seq, c.File, c.Pages, c.Elapsed)
		}
		if size := run.Files[c.File].Size; c.First < -1 || c.First > size || c.Next < -1 || c.Next > size {
			return fmt.Errorf("part %d: item %d of file %d cannot have been read from %d to %d: the file has %d bytes", seq, c.Seq, c.File, c.First, c.Next, size)
		}
	}
	for i := range p.Inputs {
		if f := p.Inputs[i].File; f < 0 || f >= len(run.Files) {
			return fmt.Errorf("part %d: the plan has no file %d", seq, f)
		}
	}
	return p.Counts.Check()
}

func checkDead(dead []Dead) error {
	for i := range dead {
		if err := dead[i].Check(); err != nil {
			return err
		}
	}
	return nil
}

func checkTexts(texts ...string) error {
	for _, s := range texts {
		if len(s) > maxText {
			return fmt.Errorf("text %.60q has %d bytes: at most %d are allowed", s, len(s), maxText)
		}
	}
	return nil
}

func checkCount(what string, n int64) error {
	if n < 0 || n > maxCount {
		return fmt.Errorf("%.200s: %d: must be 0 to %d", what, n, int64(maxCount))
	}
	return nil
}

func checkCountMap[K ~string](what string, m map[K]int64) error {
	if len(m) > maxKeys {
		return fmt.Errorf("%s: %d kinds: there may be at most %d", what, len(m), maxKeys)
	}
	for k, n := range m {
		if n < 0 || n > maxCount || len(k) > maxKey {
			return fmt.Errorf("%s: %.60q: %d: must be 0 to %d, with a name of at most %d bytes", what, string(k), n, int64(maxCount), maxKey)
		}
	}
	return nil
}

// isToken reports whether s consists of 1 to most letters and digits.
func isToken(s string, most int) bool {
	for _, c := range []byte(s) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') {
			return false
		}
	}
	return 0 < len(s) && len(s) <= most
}
