package html

import "hash/maphash"

// names numbers the element names of a document that HTML does not define. It is a
// table with open addressing over one byte buffer, so that the next document uses
// its memory again.
type names struct {
	text  []byte
	ends  []uint32 // name i is text[ends[i-1]:ends[i]]
	slots []uint16 // index+1 into ends; 0 is free; length is a power of two
}

// maxNames bounds the names of one document; all names beyond share the last Tag.
const maxNames = 1 << 15

// nameSeed only spreads names over slots; numbers do not depend on it.
var nameSeed = maphash.MakeSeed()

func (s *names) reset() {
	if cap(s.text) > keepOther {
		s.text = nil
	}
	s.text, s.ends = s.text[:0], s.ends[:0]
	clear(s.slots)
}

func (s *names) name(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = s.ends[i-1]
	}
	return s.text[start:s.ends[i]]
}

// find returns the slot of name, which is free if the name is unknown.
func (s *names) find(name []byte) int {
	mask := len(s.slots) - 1
	i := int(maphash.Bytes(nameSeed, name)) & mask
	for s.slots[i] != 0 && string(s.name(int(s.slots[i])-1)) != string(name) {
		i = (i + 1) & mask
	}
	return i
}

// intern returns the number of name, new if it has none yet.
func (s *names) intern(name []byte) Tag {
	if 2*(len(s.ends)+1) > len(s.slots) {
		s.slots = make([]uint16, max(64, 2*len(s.slots)))
		for i := range s.ends {
			s.slots[s.find(s.name(i))] = uint16(i + 1)
		}
	}
	i := s.find(name)
	if s.slots[i] == 0 {
		if len(s.ends) == maxNames {
			return TagOther + maxNames
		}
		s.text = append(s.text, name...)
		s.ends = append(s.ends, uint32(len(s.text)))
		s.slots[i] = uint16(len(s.ends))
	}
	return TagOther + Tag(s.slots[i]-1)
}

// lookup returns the number of name, TagNone if it has none.
func (s *names) lookup(name []byte) Tag {
	if len(s.slots) == 0 {
		return TagNone
	}
	if i := s.find(name); s.slots[i] != 0 {
		return TagOther + Tag(s.slots[i]-1)
	}
	return TagNone
}

// listed returns the constant of a name that HTML defines, else TagNone.
func listed(name []byte) Tag {
	lo, hi := TagA, TagOther
	for lo < hi {
		mid := (lo + hi) / 2
		if tagNames[mid] < string(name) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < TagOther && tagNames[lo] == string(name) {
		return lo
	}
	return TagNone
}

// intern returns the Tag of an element name as the tree builder spells it.
func (d *Document) intern(name []byte) Tag {
	if t := listed(name); t != TagNone {
		return t
	}
	return d.names.intern(name)
}

// Tag returns the number of an element name in this document: a constant for names
// that HTML defines, TagNone for other names that do not occur. Names are in
// lower case, except where SVG spells them otherwise ("foreignObject").
func (d *Document) Tag(name string) Tag {
	if t := listed([]byte(name)); t != TagNone {
		return t
	}
	return d.names.lookup([]byte(name))
}

// TagName is the name of t, "" for TagNone. Names that HTML does not define
// are valid for the current document only; beyond 32768 of them in one document the
// rest share one Tag, named "".
func (d *Document) TagName(t Tag) string {
	if t < TagOther {
		return tagNames[t]
	}
	if i := int(t - TagOther); i < len(d.names.ends) {
		return string(d.names.name(i))
	}
	return ""
}
