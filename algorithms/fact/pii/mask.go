package pii

import (
	"fmt"
	"slices"
	"strings"
)

// Names are the names of the kinds, in their order, as Masker takes them.
var Names = []string{Email: "email", IP: "ip", Phone: "phone", IBAN: "iban", Card: "card"}

// Masker returns a function that reports each finding of the named kinds in a text, in
// order, with what is written in its place: [EMAIL], [IP], [PHONE], [IBAN] or [CARD]. An
// unknown name is an error.
func Masker(names []string) (func(text []byte, found func(start, end int, mask string)), error) {
	var masks [kinds]string
	for _, name := range names {
		k := slices.Index(Names, name)
		if k < 0 {
			return nil, fmt.Errorf("mask %q: want some of %s", name, strings.Join(Names, ", "))
		}
		masks[k] = "[" + strings.ToUpper(name) + "]"
	}
	return func(text []byte, found func(start, end int, mask string)) {
		Find(text, func(k Kind, start, end int) {
			if masks[k] != "" {
				found(start, end, masks[k])
			}
		})
	}, nil
}
