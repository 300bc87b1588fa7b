#include "textflag.h"

// Every node of a tree is asked about all 32 blocks of the tile; then the number of
// the leaf that a block comes to is chosen level by level from the lowest nodes up.
// A register has one byte for each block. SI points to the tree, DX to the tile, R8 to
// the numbers of the right leaves.

// NODE sets those bytes of Y to all ones whose block goes left at node I: those whose
// feature is not above the bound.
#define NODE(I, Y) \
	MOVBLZX      (2*(I)+1)(SI), AX;   \
	SHLL         $5, AX;              \
	VMOVDQU      (DX)(AX*1), Y14;     \
	VPBROADCASTB (2*(I))(SI), Y15;    \
	VPMINUB      Y14, Y15, Y;         \
	VPCMPEQB     Y14, Y, Y

// JOIN asks node I and takes L for the blocks that go left, R for the others.
#define JOIN(I, L, R) \
	NODE(I, Y13); \
	VPBLENDVB Y13, L, R, L

// LEVEL4 to LEVEL1 set A to the numbers of the leaves below node I of that level.
#define LEVEL4(I, A) \
	NODE(I, A); \
	VPADDB (32*((I)-16))(R8), A, A

#define LEVEL3(I, A, B) \
	LEVEL4(2*(I), A);   \
	LEVEL4(2*(I)+1, B); \
	JOIN(I, A, B)

#define LEVEL2(I, A, B, C) \
	LEVEL3(2*(I), A, B);   \
	LEVEL3(2*(I)+1, B, C); \
	JOIN(I, A, B)

#define LEVEL1(I, A, B, C, D) \
	LEVEL2(2*(I), A, B, C);   \
	LEVEL2(2*(I)+1, B, C, D); \
	JOIN(I, A, B)

// LOOKUP replaces the numbers in Y0 by bytes of the table T of 32, into A. The
// bytes of Y7 begin with the highest bit of those of Y0.
#define LOOKUP(T, A, B) \
	VPERM2I128 $0x11, T, T, B; \
	VPERM2I128 $0x00, T, T, A; \
	VPSHUFB    Y0, B, B;       \
	VPSHUFB    Y0, A, A;       \
	VPBLENDVB  Y7, B, A, A

// ADD adds the eight words in the lower half of Y, as signed numbers, to SUM.
#define ADD(X, SUM) \
	VPMOVSXWD X, Y5; \
	VPADDD    Y5, SUM, SUM

// func addWide(trees *Tree, n int, tile *blocks.Tile, sums *Sums, odd *[1 << (Depth - 1)][blocks.Lanes]uint8)
TEXT ·addWide(SB), NOSPLIT, $0-40
	MOVQ trees+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ tile+16(FP), DX
	MOVQ sums+24(FP), DI
	MOVQ odd+32(FP), R8
	VMOVDQU (DI), Y9
	VMOVDQU 32(DI), Y10
	VMOVDQU 64(DI), Y11
	VMOVDQU 96(DI), Y12
	VPCMPEQB Y8, Y8, Y8
	VPSRLW $8, Y8, Y8 // the lower byte of each word

tree:
	LEVEL1(2, Y0, Y1, Y2, Y3)
	LEVEL1(3, Y1, Y2, Y3, Y4)
	JOIN(1, Y0, Y1)

	// The leaves as two tables: their lower bytes in Y1, their upper ones in Y2.
	VMOVDQU   64(SI), Y3
	VMOVDQU   96(SI), Y4
	VPAND     Y8, Y3, Y1
	VPAND     Y8, Y4, Y2
	VPACKUSWB Y2, Y1, Y1
	VPERMQ    $0xD8, Y1, Y1
	VPSRLW    $8, Y3, Y2
	VPSRLW    $8, Y4, Y3
	VPACKUSWB Y3, Y2, Y2
	VPERMQ    $0xD8, Y2, Y2

	VPSLLW $3, Y0, Y7
	LOOKUP(Y1, Y3, Y5)
	LOOKUP(Y2, Y4, Y5)
	VPUNPCKLBW Y4, Y3, Y1 // blocks 0 to 7 and 16 to 23
	VPUNPCKHBW Y4, Y3, Y2 // blocks 8 to 15 and 24 to 31
	ADD(X1, Y9)
	ADD(X2, Y10)
	VEXTRACTI128 $1, Y1, X1
	VEXTRACTI128 $1, Y2, X2
	ADD(X1, Y11)
	ADD(X2, Y12)

	ADDQ $128, SI
	DECQ CX
	JNE  tree

	VMOVDQU Y9, (DI)
	VMOVDQU Y10, 32(DI)
	VMOVDQU Y11, 64(DI)
	VMOVDQU Y12, 96(DI)
	VZEROUPPER
	RET
