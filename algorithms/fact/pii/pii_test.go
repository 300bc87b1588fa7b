package pii

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
)

func TestFact(t *testing.T) { algotest.Fact(t, Fact) }

func BenchmarkFact(b *testing.B) { algotest.BenchmarkFact(b, Fact) }

// all returns what is found as "kind text".
func all(text string) (list []string) {
	Find([]byte(text), func(k Kind, start, end int) { list = append(list, Names[k]+" "+text[start:end]) })
	return list
}

func TestFind(t *testing.T) {
	f := func(text string, want ...string) {
		t.Helper()
		if got := all(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	f("")
	f("Write to jane.doe+x@mail.example.org. Or a@b.de, <c_d@e-f.museum>!", "email jane.doe+x@mail.example.org", "email a@b.de", "email c_d@e-f.museum")
	f("@example.org a@b a@b.1 a.@b.de a@-b.de a@b-.de a@.de a@b..de")
	f("..x@y.org", "email x@y.org")
	f("10.0.0.1, (192.168.1.255) and 8.8.8.8.", "ip 10.0.0.1", "ip 192.168.1.255", "ip 8.8.8.8")
	f("256.1.1.1 1.2.3 1.2.3.4.5 01.2.3.4 v1.2.3.4")
	f("see 2001:db8::ff00:42:8329 and ::ffff:10.0.0.1, at 12:30:45 or ::", "ip 2001:db8::ff00:42:8329", "ip ::ffff:10.0.0.1")
	f("+49 (0)30 123456-78, +1.201.555.0123; (201) 555-0123, 201-555-0123.", "phone +49 (0)30 123456-78", "phone +1.201.555.0123", "phone (201) 555-0123", "phone 201-555-0123")
	f("+1 2 3, +012345678, 101-555-0123, 201-555-01234, +1234567890123456")
	// The examples of the register of IBAN; one digit changed.
	f("DE89 3704 0044 0532 0130 00 and GB29NWBK60161331926819.", "iban DE89 3704 0044 0532 0130 00", "iban GB29NWBK60161331926819")
	f("IBAN DE89370400440532013000 BANK", "iban DE89370400440532013000")
	f("DE89 3704 0044 0532 0130 03, GB29NWBK60161331926818")
	// The test numbers of the card networks; one digit changed; not a number of its own.
	f("4111 1111 1111 1111, 5555-5555-5555-4444 378282246310005", "card 4111 1111 1111 1111", "card 5555-5555-5555-4444", "card 378282246310005")
	f("4111 1111 1111 1112 x4111111111111111 41111111111111111111")
	// A crawl's text.
	f("Call +4930123456 or write a@b.de\nKonto DE89370400440532013000", "phone +4930123456", "email a@b.de", "iban DE89370400440532013000")
}

func TestColumns(t *testing.T) {
	got := algotest.Show(Fact.Text, algotest.FindOn(t, Fact.Text, algotest.Pass("<p>x"), []byte("a@b.de c@d.org 10.0.0.1 4111111111111111")))
	for column, want := range map[string]string{"pii_emails": "2", "pii_ips": "1", "pii_phones": "0", "pii_ibans": "0", "pii_cards": "1"} {
		if got[column] != want {
			t.Errorf("%s is %s, want %s", column, got[column], want)
		}
	}
}

func TestMask(t *testing.T) {
	text := "Ask a@b.de or +4930123456, 10.0.0.1."
	for names, want := range map[string]string{
		"":                text,
		"email":           "Ask [EMAIL] or +4930123456, 10.0.0.1.",
		"ip,phone":        "Ask a@b.de or [PHONE], [IP].",
		"card,iban,email": "Ask [EMAIL] or +4930123456, 10.0.0.1.",
	} {
		var list []string
		if names != "" {
			list = strings.Split(names, ",")
		}
		mask, err := Masker(list)
		if err != nil {
			t.Fatal(err)
		}
		got, from := "", 0
		mask([]byte(text), func(start, end int, name string) {
			got, from = got+text[from:start]+name, end
		})
		if got += text[from:]; got != want {
			t.Errorf("%s: %q", names, got)
		}
	}
	if _, err := Masker([]string{"name"}); err == nil || !strings.Contains(err.Error(), "email, ip, phone, iban, card") {
		t.Error(err)
	}
}

// FuzzFind checks that findings are in order, inside the text and found again alone.
func FuzzFind(f *testing.F) {
	for _, seed := range []string{"a@b.de", "1.2.3.4", "::1 fe80::1", "+49 30 1234567", "DE89 3704 0044 0532 0130 00 A", "4111-1111-1111-1111", "1@2.3.4.5@x.yz", strings.Repeat("1-", 40), "00::.", "\xff0.0.0.0@0.AA"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		Find([]byte(text), func(k Kind, start, end int) {
			if start < last || end <= start || end > len(text) {
				t.Fatalf("%q: %s at %d to %d, after %d", text, Names[k], start, end, last)
			}
			last = end
			if k == Email && start > 0 && text[start-1] >= 0x80 {
				return // it follows a letter without a blank: alone, a number in it may be found first
			}
			if again := all(text[start:end]); len(again) != 1 || again[0] != Names[k]+" "+text[start:end] {
				t.Errorf("%q: %s %q alone is %q", text, Names[k], text[start:end], again)
			}
		})
	})
}
