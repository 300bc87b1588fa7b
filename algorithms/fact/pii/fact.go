package pii

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
)

// Kind is the kind of personal data that was found.
type Kind int

// The kinds, in the order of the columns.
const (
	Email Kind = iota
	IP
	Phone
	IBAN
	Card
	kinds
)

// Fact is the numbers of findings in each extractor's text.
var Fact = &fact.Fact{
	Description: algorithms.Description{
		Name: "pii", Family: "pii",
		Doc: "how many e-mail addresses, IP addresses, phone, account and card numbers the text has, by published forms and checksums",
		Cite: algorithms.Cite{Authors: "WHATWG; IETF; ITU-T; ISO",
			Title: "HTML; RFC 4291; E.123; ISO 13616; ISO/IEC 7812", Venue: "public standards", Year: 2017,
			URL: "https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address"},
		Fidelity:   algorithms.Partial,
		Departures: []string{"National forms of phone numbers are those of North America alone."},
		Cost:       algorithms.Linear,
	},
	Text: &fact.Finder{Columns: []fact.Column{
		Email: column("pii_emails", "addresses", "E-mail addresses."),
		IP:    column("pii_ips", "addresses", "IP addresses, of version 4 or 6."),
		Phone: column("pii_phones", "numbers", "Phone numbers in the international form or that of North America."),
		IBAN:  column("pii_ibans", "numbers", "International bank account numbers with the right checksum."),
		Card:  column("pii_cards", "numbers", "Numbers that have the length and the checksum of payment cards."),
	}, Find: find},
}

func column(name, unit, doc string) fact.Column {
	return fact.Column{Name: name, Kind: fact.KindInt, Unit: unit, Doc: doc, Null: "the fact failed"}
}

func find(s *fact.Subject) error {
	var counts [kinds]int64
	Find(s.Text, func(k Kind, _, _ int) { counts[k]++ })
	for k, n := range counts {
		s.Out[k].SetInt(n)
	}
	return nil
}
