package blocks

import "math"

// Every feature is one byte on one of these scales. So the model needs no learned bin
// edges, and a tree compares bytes.

// steps is the number of steps of lg for each doubling of a count.
const steps = 10

// most is the largest count that lg tells from smaller ones.
const most = 1<<13 - 1

var logs = func() (t [most + 1]uint8) {
	for n := range t {
		t[n] = uint8(math.Round(steps * math.Log2(1+float64(n))))
	}
	return t
}()

// lg is the scale of counts: ten steps for each doubling. Counts of more than 8191 are
// equal: training pages have too few of them to learn from, and a feature that tells
// them apart would mislead on the longest texts.
func lg(n int) uint8 {
	switch {
	case n < 0:
		return 0
	case n > most:
		return logs[most]
	}
	return logs[n]
}

// share is the scale of ratios: 200 represents 1, and 0 also for 0/0. Larger ratios are
// distinguished up to 1.27.
func share(a, b int) uint8 {
	if b <= 0 || a <= 0 {
		return 0
	}
	return uint8(min(255, uint32(a)*200/uint32(b)))
}

// per is the scale of means such as words in a sentence: four times a/b, on the scale
// of counts.
func per(a, b int) uint8 {
	if b <= 0 || a <= 0 {
		return 0
	}
	return lg(int(uint32(a) * 4 / uint32(b)))
}

// few is the scale of small counts.
func few(n int) uint8 { return uint8(max(0, min(n, 255))) }

// flag returns 1 for true and 0 for false.
func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// none represents the distance to something that the page does not have. Other
// distances are 128 and more if it precedes the block, and less if it follows it.
const none = 0

func before(words int) uint8 { return 128 + near(words)/2 }
func behind(words int) uint8 { return 128 - near(words)/2 }

// near is the scale of distances in words, which ends earlier than that of counts.
func near(words int) uint8 { return lg(min(words, 1<<11-1)) }
