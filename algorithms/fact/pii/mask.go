package pii

import (
	"fmt"
	"slices"
	"strings"
)

// Names are the names of the kinds, in their order, as Masker takes them.
var Names = []string{Email: "email", IP: "ip", Phone: "phone", IBAN: "iban", Card: "card"}

// Masker returns a function that appends text to dst with each finding of the named kinds
// replaced by its name: [EMAIL], [IP], [PHONE], [IBAN] or [CARD]. An unknown name is an error.
func Masker(names []string) (func(dst, text []byte) []byte, error) {
	var masks [kinds]string
	for _, name := range names {
		k := slices.Index(Names, name)
		if k < 0 {
			return nil, fmt.Errorf("mask %q: want some of %s", name, strings.Join(Names, ", "))
		}
		masks[k] = "[" + strings.ToUpper(name) + "]"
	}
	return func(dst, text []byte) []byte {
		from := 0
		Find(text, func(k Kind, start, end int) {
			if masks[k] != "" {
				dst = append(append(dst, text[from:start]...), masks[k]...)
				from = end
			}
		})
		return append(dst, text[from:]...)
	}, nil
}
