#include "textflag.h"

// STEP is the step of one item over eight words: X becomes Y. M points to the
// item's mask, C holds the carry, 0 or 1, which goes in and comes out.
//
// Z2 is x & m and Y at first x + (x & m). A word carries if its sum is less than
// x (K1) and hands a carry on if its sum is all ones (K2). With a bit a word for
// both, one addition runs the carries through all eight: the bits of the second
// that it changes are the words that a carry comes into (K3).
#define STEP(M, C, X, Y) \
	VMOVDQU64.Z (M)(AX*8), K7, Z2; \
	VPANDQ      X, Z2, Z2;         \
	VPADDQ      X, Z2, Y;          \
	VPCMPUQ     $1, X, Y, K1;      \
	VPCMPEQQ    Z3, Y, K2;         \
	KMOVB       K1, R8;            \
	KMOVB       K2, R9;            \
	LEAL        (C)(R8*2), C;      \
	ADDL        R9, C;             \
	XORL        C, R9;             \
	KMOVB       R9, K3;            \
	SHRL        $8, C;             \
	VPSUBQ      Z3, Y, K3, Y;      \
	VPTERNLOGQ  $0xF4, Z2, X, Y // sum | (x &^ m)

// func fourWide(v, a, b, c, d *uint64, n int)
TEXT ·fourWide(SB), NOSPLIT, $0-48
	MOVQ v+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), BX
	MOVQ d+32(FP), R10
	MOVQ n+40(FP), CX
	VPTERNLOGQ $0xFF, Z3, Z3, Z3 // all ones
	XORL R11, R11
	XORL R12, R12
	XORL R13, R13
	XORL R15, R15
	XORQ AX, AX // word
	MOVL $0xFF, R8
	KMOVB R8, K7

group:
	SUBQ $8, CX
	JGE whole
	ADDQ $8, CX
	JLE done
	MOVL $1, R8
	SHLL CX, R8
	DECL R8
	KMOVB R8, K7 // the words that are left
	XORL CX, CX

whole:
	VMOVDQU64.Z (DI)(AX*8), K7, Z0
	STEP(SI, R11, Z0, Z1)
	STEP(DX, R12, Z1, Z0)
	STEP(BX, R13, Z0, Z1)
	STEP(R10, R15, Z1, Z0)
	VMOVDQU64 Z0, K7, (DI)(AX*8)
	ADDQ $8, AX
	JMP group

done:
	VZEROUPPER
	RET
