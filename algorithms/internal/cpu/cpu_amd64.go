package cpu

// AVX2 reports whether there are registers of 32 bytes, with arithmetic on integers.
// AVX512 reports whether there are also registers of 64 bytes, with masks, and the forms of
// their instructions for bytes and for shorter registers (F, BW and VL).
var AVX2, AVX512 = detect()

// These are bits of what the instructions CPUID and XGETBV answer (Intel, Software
// Developer's Manual, volumes 1, 13.2, and 2, CPUID).
const (
	osxsave = 1 << 27 // a bit of leaf 1, ECX: XGETBV may be used
	avx     = 1 << 28

	avx2     = 1 << 5 // a bit of leaf 7, EBX
	avx512f  = 1 << 16
	avx512bw = 1 << 30
	avx512vl = 1 << 31

	saves256 = 1<<1 | 1<<2                   // the system saves registers of 16 and 32 bytes
	saves512 = saves256 | 1<<5 | 1<<6 | 1<<7 // and masks and registers of 64 bytes
)

func detect() (has256, has512 bool) {
	if highest, _, _ := cpuid(0); highest < 7 {
		return false, false
	}
	if _, _, c := cpuid(1); c&osxsave == 0 || c&avx == 0 {
		return false, false
	}
	saved := xgetbv()
	_, b, _ := cpuid(7)
	has256 = saved&saves256 == saves256 && b&avx2 != 0
	const all = avx512f | avx512bw | avx512vl
	return has256, has256 && saved&saves512 == saves512 && b&all == all
}

// cpuid returns the registers EAX, EBX and ECX of a leaf, of its first part.
func cpuid(leaf uint32) (a, b, c uint32)

// xgetbv returns the lower half of the register XCR0.
func xgetbv() uint32
