package pii

import "net/netip"

// Find calls found for each finding in text, in order: text[start:end] is one. Findings do
// not overlap, but that an e-mail address may begin before the end of an earlier finding,
// and is then left out.
func Find(text []byte, found func(k Kind, start, end int)) {
	done := 0 // the end of the last finding
	for i := 0; i < len(text); i++ {
		c := text[i]
		k, end := kinds, 0
		switch {
		case class[c] == 0:
			continue
		case c == '@':
			var start int
			if start, end = email(text, i); end > 0 && start >= done {
				found(Email, start, end)
				done, i = end, end-1
			}
			continue
		case i > 0 && (alphanumeric(text[i-1]) || text[i-1] == '.' && digit(c) && i > 1 && digit(text[i-2])):
			continue // inside a word or a number with dots
		case 'A' <= c && c <= 'Z':
			k, end = IBAN, iban(text[i:])
		}
		if end == 0 && (digit(c) || c == '+' || c == '(') {
			if k, end = Card, card(text[i:]); end == 0 {
				if k, end = Phone, phone(text[i:]); end == 0 {
					k, end = IP, ip4(text[i:])
				}
			}
		}
		if end == 0 && c != '+' && c != '(' {
			k, end = IP, ip6(text[i:])
		}
		if end > 0 {
			found(k, i, i+end)
			done, i = i+end, i+end-1
		}
	}
}

// class is not 0 for bytes at which a finding can begin, or that tell of one.
var class = func() (class [256]uint8) {
	for c := range class {
		if b := byte(c); digit(b) || hexadecimal(b) || 'A' <= b && b <= 'Z' || b == '@' || b == '+' || b == '(' || b == ':' {
			class[c] = 1
		}
	}
	return class
}()

func digit(c byte) bool        { return '0' <= c && c <= '9' }
func letter(c byte) bool       { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func alphanumeric(c byte) bool { return digit(c) || letter(c) || c >= 0x80 }
func hexadecimal(c byte) bool  { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// ends reports whether a number may end before text[n:].
func ends(text []byte, n int) bool { return n == len(text) || !alphanumeric(text[n]) }

// email returns where the address around the @ at text[at] begins and ends.
func email(text []byte, at int) (start, end int) {
	for start = at; start > 0 && at-start < 65 && local(text[start-1]); start-- {
	}
	for start < at && text[start] == '.' {
		start++
	}
	if start == at || at-start > 64 || text[at-1] == '.' {
		return 0, 0
	}
	label, dots := at+1, 0
	for i := at + 1; i-at <= 254; i++ {
		if i < len(text) && (digit(text[i]) || letter(text[i]) || text[i] == '-') {
			continue
		}
		if n := i - label; n == 0 || n > 63 || text[label] == '-' || text[i-1] == '-' {
			break
		}
		if dots > 0 && i-label >= 2 && onlyLetters(text[label:i]) {
			end = i
		}
		if i == len(text) || text[i] != '.' {
			break
		}
		label, dots = i+1, dots+1
	}
	if end > 0 && end < len(text) && text[end] >= 0x80 {
		return 0, 0
	}
	return start, end
}

func local(c byte) bool {
	if digit(c) || letter(c) {
		return true
	}
	switch c {
	case '.', '!', '#', '$', '%', '&', '\'', '*', '+', '/', '=', '?', '^', '_', '`', '{', '|', '}', '~', '-':
		return true
	}
	return false
}

func onlyLetters(b []byte) bool {
	for _, c := range b {
		if !letter(c) {
			return false
		}
	}
	return true
}

// iban returns the length of the account number that text begins with, 0 if it does not.
func iban(text []byte) int {
	if len(text) < 15 || !upper(text[1]) || !digit(text[2]) || !digit(text[3]) {
		return 0
	}
	var c [34]byte
	n, i := 0, 0
	for ; i < len(text) && n < len(c); i++ {
		if b := text[i]; digit(b) || upper(b) {
			c[n] = b
			n++
		} else if b != ' ' || n%4 != 0 || i+1 == len(text) || !digit(text[i+1]) && !upper(text[i+1]) {
			break
		}
	}
	// In groups the next word may look like one more: the longest number with the right
	// checksum counts.
	for ; n >= 15; n, i = n-1, i-1 {
		for i > 0 && text[i-1] == ' ' {
			i--
		}
		if ends(text, i) && mod97(c[:n]) == 1 {
			return i
		}
	}
	return 0
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }

// mod97 is the remainder of an account number as ISO 7064 reads it: the first four
// characters last, and letters as two digits.
func mod97(iban []byte) (r int) {
	for i := range iban {
		if c := iban[(i+4)%len(iban)]; digit(c) {
			r = (10*r + int(c-'0')) % 97
		} else {
			r = (100*r + int(c-'A') + 10) % 97
		}
	}
	return r
}

// card returns the length of the card number that text begins with, 0 if it does not. A
// group of digits after it may belong to another number, so the longest number that ends
// with a group and has the right check digit counts.
func card(text []byte) (length int) {
	if text[0] < '2' || text[0] > '6' {
		return 0
	}
	var d [19]byte
	n := 0
	for i := 0; i < len(text); i++ {
		if !digit(text[i]) || n == len(d) {
			break
		}
		d[n] = text[i] - '0'
		n++
		if i+1 < len(text) && digit(text[i+1]) {
			continue
		}
		if n >= 13 && ends(text, i+1) && luhn(d[:n]) {
			length = i + 1
		}
		if i+2 < len(text) && (text[i+1] == ' ' || text[i+1] == '-') && digit(text[i+2]) {
			i++
		}
	}
	return length
}

// luhn reports whether the last digit is the check digit of the others.
func luhn(d []byte) bool {
	sum := 0
	for i := range d {
		x := int(d[len(d)-1-i])
		if i%2 == 1 {
			if x *= 2; x > 9 {
				x -= 9
			}
		}
		sum += x
	}
	return sum%10 == 0
}

// phone returns the length of the phone number that text begins with, 0 if it does not.
func phone(text []byte) int {
	if text[0] != '+' {
		return northAmerican(text)
	}
	if len(text) < 2 || text[1] < '1' || text[1] > '9' {
		return 0
	}
	digits, end := 0, 0
	for i := 1; i < len(text) && digits <= 15; i++ {
		switch c := text[i]; {
		case digit(c):
			digits++
			end = i + 1
			continue
		case (c == ' ' || c == '-' || c == '.' || c == '(' || c == ')' || c == '/') && i-end < 2:
			continue
		}
		break
	}
	if digits < 7 || digits > 15 || !ends(text, end) {
		return 0
	}
	return end
}

// northAmerican is phone for numbers such as (201) 555-0123 and 201-555-0123.
func northAmerican(text []byte) int {
	for _, form := range [...]string{"(N##) N##-####", "(N##)N##-####", "N##-N##-####", "N##.N##.####"} {
		if len(text) < len(form) || !ends(text, len(form)) {
			continue
		}
		fits := true
		for i := 0; i < len(form) && fits; i++ {
			switch c := text[i]; form[i] {
			case 'N':
				fits = '2' <= c && c <= '9'
			case '#':
				fits = digit(c)
			default:
				fits = c == form[i]
			}
		}
		if fits {
			return len(form)
		}
	}
	return 0
}

// ip4 returns the length of the address of version 4 that text begins with, 0 if it does not.
func ip4(text []byte) int {
	i := 0
	for part := range 4 {
		value, start := 0, i
		for i < len(text) && digit(text[i]) && i-start < 4 {
			value = 10*value + int(text[i]-'0')
			i++
		}
		if i == start || value > 255 || i-start > 1 && text[start] == '0' {
			return 0
		}
		if part < 3 {
			if i == len(text) || text[i] != '.' {
				return 0
			}
			i++
		}
	}
	if !ends(text, i) || i+1 < len(text) && text[i] == '.' && digit(text[i+1]) {
		return 0
	}
	return i
}

// longest is the length of the longest address of version 6.
const longest = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// ip6 returns the length of the address of version 6 that text begins with, 0 if it does not.
func ip6(text []byte) int {
	i, colons, hex := 0, 0, 0
	for i < len(text) && i <= longest && (hexadecimal(text[i]) || text[i] == ':' || text[i] == '.') {
		switch text[i] {
		case ':':
			colons++
		case '.':
		default:
			hex++
		}
		i++
	}
	for i > 0 && text[i-1] == '.' { // the end of a sentence
		i--
	}
	if colons < 2 || hex < 3 || i > longest || !ends(text, i) {
		return 0
	}
	if addr, err := netip.ParseAddr(string(text[:i])); err != nil || !addr.Is6() {
		return 0
	}
	return i
}
