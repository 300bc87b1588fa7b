package warc

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// mixedRecords returns ten records of several types and sizes.
func mixedRecords() []string {
	var list []string
	for i := range 10 {
		uri := fmt.Sprintf("http://example.org/%d", i)
		switch i % 3 {
		case 0:
			list = append(list, record("response", uri, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><p>"+strings.Repeat("grain and chaff ", 3+9*i)))
		case 1:
			list = append(list, record("request", uri, "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"))
		default:
			list = append(list, record("response", uri, "HTTP/1.1 200 OK\r\n\r\n"+noise(300+100*i)))
		}
	}
	return list
}

// membersOf returns a file with one member for each record, and the members' offsets. The
// last offset is the file's size.
func membersOf(records []string) (file []byte, offsets []int64) {
	for _, rec := range records {
		offsets = append(offsets, int64(len(file)))
		file = append(file, gz(rec)...)
	}
	return file, append(offsets, int64(len(file)))
}

// sameRecord reports whether two records agree in everything that damage elsewhere must
// not change.
func sameRecord(a, b got) bool {
	a.flags &^= FlagAfterResync
	b.flags &^= FlagAfterResync
	return a == b
}

// checkDamage reads a damaged file. All records of sound that do not overlap [from, to)
// must be present unchanged. It returns the other records and the summary.
func checkDamage(t *testing.T, file []byte, sound []got, from, to int64) (rest []got, s Summary) {
	t.Helper()
	recs, s := readAll(t, bytes.NewReader(file), Options{})
	for _, want := range sound {
		if want.Offset+want.Length > from && want.Offset < to {
			continue
		}
		i := slices.IndexFunc(recs, func(g got) bool { return sameRecord(g, want) })
		if i < 0 {
			t.Fatalf("lost %v; there are\n%v\n%v", want, recs, s.Ledger)
		}
		recs = slices.Delete(recs, i, i+1)
	}
	return recs, s
}

// damaged reports whether the ledger holds defects other than oddities.
func (s *Summary) damaged() bool {
	for code := range s.Defects {
		if code.Severity() > Note {
			return true
		}
	}
	return false
}

// TestTruncation cuts a file at every byte of its last two members. The records before
// the cut must be unchanged, and a defect must report that the last one is not.
func TestTruncation(t *testing.T) {
	file, offsets := membersOf(mixedRecords())
	sound, _ := readAll(t, bytes.NewReader(file), Options{})
	for cut := offsets[8]; cut < int64(len(file)); cut++ {
		_, s := checkDamage(t, file[:cut], sound, cut, int64(len(file)))
		if cut != offsets[8] && cut != offsets[9] && !s.damaged() {
			t.Fatalf("cut at %d: no defect: %v", cut, s.Defects)
		}
	}
}

// TestTruncationPlain does the same with a plain file, where a missing separator
// is no damage.
func TestTruncationPlain(t *testing.T) {
	records := mixedRecords()
	file := []byte(strings.Join(records, ""))
	sound, _ := readAll(t, bytes.NewReader(file), Options{})
	for cut := sound[8].Offset; cut < int64(len(file)); cut++ {
		rest, s := checkDamage(t, file[:cut], sound, cut, int64(len(file)))
		whole := cut >= sound[9].Offset+sound[9].Length || cut >= sound[8].Offset+sound[8].Length && cut <= sound[9].Offset || cut == sound[8].Offset
		if !whole && !s.damaged() {
			t.Fatalf("cut at %d: no defect: %v %v", cut, s.Defects, rest)
		}
	}
}

// flipped returns the bits of a byte that are changed, one after the other: the highest only, or
// more of them if WINNOW_LONG_TESTS is set.
func flipped() []byte {
	if os.Getenv("WINNOW_LONG_TESTS") != "" {
		return []byte{1, 8, 0x80}
	}
	return []byte{0x80}
}

// TestFlips changes every byte of a member in the middle. The records of all other
// members must be unchanged. If the record of the changed member is missing or changed,
// there must be a defect.
func TestFlips(t *testing.T) {
	file, offsets := membersOf(mixedRecords())
	sound, _ := readAll(t, bytes.NewReader(file), Options{})
	for _, victim := range []int{3, 5} {
		from, to := offsets[victim], offsets[victim+1]
		for at := from; at < to; at++ {
			for _, bit := range flipped() {
				broken := slices.Clone(file)
				broken[at] ^= bit
				rest, s := checkDamage(t, broken, sound, from, to)
				unchanged := len(rest) == 1 && rest[0] == sound[victim]
				if !unchanged && !s.damaged() {
					t.Fatalf("byte %d of member %d: %v, but no defect", at-from, victim, rest)
				}
			}
		}
	}
}

// TestFlipsPlain does the same with a plain file, where a changed byte of a block
// cannot be noticed.
func TestFlipsPlain(t *testing.T) {
	file := []byte(strings.Join(mixedRecords(), ""))
	sound, _ := readAll(t, bytes.NewReader(file), Options{})
	for _, victim := range []int{4, 6} {
		from, to := sound[victim].Offset, sound[victim+1].Offset
		for at := from; at < to; at++ {
			for _, bit := range flipped() {
				broken := slices.Clone(file)
				broken[at] ^= bit
				checkDamage(t, broken, sound, from, to)
			}
		}
	}
}

// TestFlipsMisaligned damages one of many members whose boundaries are not those of
// records. Every record outside of the damaged member must still be found.
func TestFlipsMisaligned(t *testing.T) {
	content := strings.Join(mixedRecords(), "")
	const size = 700
	file := inMembers(content, size)
	plain, _ := readAll(t, bytes.NewReader([]byte(content)), Options{})
	var starts []int64
	for at := int64(0); at < int64(len(file)); {
		starts = append(starts, at)
		next := bytes.Index(file[at+1:], gzipMagic)
		if next < 0 {
			break
		}
		at += 1 + int64(next)
	}
	if want := (len(content) + size - 1) / size; len(starts) != want {
		t.Fatalf("%d members, want %d", len(starts), want)
	}
	victim := len(starts) / 2
	for at := starts[victim]; at < starts[victim+1]; at++ {
		broken := slices.Clone(file)
		broken[at] ^= 8
		recs, s := readAll(t, bytes.NewReader(broken), Options{})
		for _, want := range plain {
			first, last := int(want.Offset)/size, int(want.Offset+want.Length-1)/size
			if first <= victim && last >= victim && s.damaged() {
				continue
			}
			if !slices.ContainsFunc(recs, func(g got) bool { return g.uri == want.uri && g.sum == want.sum }) {
				t.Fatalf("byte %d: lost %v; there are\n%v\n%v", at-starts[victim], want, recs, s.Ledger)
			}
		}
	}
}
