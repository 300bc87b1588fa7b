package cpu

import (
	"testing"

	"golang.org/x/sys/cpu"
)

// TestTwin compares the answers with those of golang.org/x/sys.
func TestTwin(t *testing.T) {
	x := &cpu.X86
	if AVX2 != x.HasAVX2 || AVX512 != (x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VL) {
		t.Errorf("AVX2 %t, AVX512 %t; golang.org/x/sys says %t, %t, %t, %t", AVX2, AVX512, x.HasAVX2, x.HasAVX512F, x.HasAVX512BW, x.HasAVX512VL)
	}
}
