#include "textflag.h"

// MASK sets AX to the address of the next item's mask, and goes on to the item after it.
// A row has 12 bytes. The first four say where the mask begins, as an index of dense.
#define MASK \
	MOVLQSX (SI), AX;       \
	ADDQ    $4, SI;         \
	LEAQ    (AX)(AX*2), AX; \
	MOVLQSX (DX)(AX*4), AX; \
	LEAQ    (BX)(AX*8), AX

// STEP is the step of an item over the eight words of V. R11 is the carry, 0 or 1, which
// goes in and comes out. With a bit a word, one addition runs the carries through all eight:
// the bits of K2 that it changes are the words that a carry comes into (K3). Z8 is V & m, m
// being the item's mask, and Z9 is V + Z8, first without these carries. A word carries if
// its sum is less than V (K1), and hands on a carry if its sum is all ones (K2). V becomes
// the sum | (V &^ m).
#define STEP(AT, V, K) \
	VPANDQ.Z   AT(AX), V, K, Z8; \
	VPADDQ     Z8, V, Z9;        \
	VPCMPUQ    $1, V, Z9, K1;    \
	VPCMPEQQ   Z15, Z9, K2;      \
	KMOVB      K1, R8;           \
	KMOVB      K2, R9;           \
	LEAL       (R11)(R8*2), R11; \
	ADDL       R9, R11;          \
	XORL       R11, R9;          \
	KMOVB      R9, K3;           \
	SHRL       $8, R11;          \
	VPSUBQ     Z15, Z9, K3, Z9;  \
	VPTERNLOGQ $0xDC, Z8, Z9, V

// CARRYIN takes the item's carry from R12, and CARRYOUT puts it into R13.
#define CARRYIN \
	MOVL R12, R11; \
	ANDL $1, R11;  \
	SHRQ $1, R12

#define CARRYOUT \
	SHRQ $1, R13;  \
	SHLQ $63, R11; \
	ORQ  R11, R13

// func strideWide(v, dense *uint64, e *int32, items int, rows *row, words int, carries uint64) uint64
TEXT ·strideWide(SB), NOSPLIT, $0-64
	MOVQ words+40(FP), R10
	VPTERNLOGQ $0xFF, Z15, Z15, Z15 // all ones
	KXNORB K6, K6, K6 // all eight words
	MOVQ R10, CX
	NEGQ CX
	ANDQ $7, CX
	MOVL $0xFF, R8
	SHRL CX, R8
	KMOVB R8, K7 // the words that there are of the last eight
	MOVQ v+0(FP), DI
	MOVQ dense+8(FP), BX
	MOVQ e+16(FP), SI
	MOVQ items+24(FP), CX
	MOVQ rows+32(FP), DX
	MOVQ carries+48(FP), R12
	XORL R13, R13
	CMPQ R10, $16
	JLE two
	CMPQ R10, $24
	JLE three

	VMOVDQU64 (DI), Z0
	VMOVDQU64 64(DI), Z1
	VMOVDQU64 128(DI), Z2
	VMOVDQU64.Z 192(DI), K7, Z3
fourMore:
	MASK
	CARRYIN
	STEP(0, Z0, K6)
	STEP(64, Z1, K6)
	STEP(128, Z2, K6)
	STEP(192, Z3, K7)
	CARRYOUT
	DECQ CX
	JNZ fourMore
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, 128(DI)
	VMOVDQU64 Z3, K7, 192(DI)
	JMP done

three:
	VMOVDQU64 (DI), Z0
	VMOVDQU64 64(DI), Z1
	VMOVDQU64.Z 128(DI), K7, Z2
threeMore:
	MASK
	CARRYIN
	STEP(0, Z0, K6)
	STEP(64, Z1, K6)
	STEP(128, Z2, K7)
	CARRYOUT
	DECQ CX
	JNZ threeMore
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, K7, 128(DI)
	JMP done

two:
	VMOVDQU64 (DI), Z0
	VMOVDQU64.Z 64(DI), K7, Z1
twoMore:
	MASK
	CARRYIN
	STEP(0, Z0, K6)
	STEP(64, Z1, K7)
	CARRYOUT
	DECQ CX
	JNZ twoMore
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, K7, 64(DI)

done:
	MOVQ $64, CX
	SUBQ items+24(FP), CX
	SHRQ CX, R13
	MOVQ R13, ret+56(FP)
	VZEROUPPER
	RET
