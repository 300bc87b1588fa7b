#include "textflag.h"

// As in addWide, every node of a tree is asked about all blocks, here those of two tiles,
// and the number of the leaf that a block comes to is chosen level by level from the lowest
// nodes up. A register has one byte for each block of a tile, and a mask register one bit.
// SI points to the tree, DX and BX to the tiles. All bytes of Y24 are 0, of Y25 1, and so
// on up to Y31; all bytes of Y22 are 8, and of Y21 16.

// NODE sets the bits of K1 and K2 whose block goes right at node I: those whose feature is
// above the bound.
#define NODE(I) \
	MOVBLZX      (2*(I)+1)(SI), AX;       \
	SHLL         $5, AX;                  \
	VPBROADCASTB (2*(I))(SI), Y23;        \
	VPCMPUB      $1, (DX)(AX*1), Y23, K1; \
	VPCMPUB      $1, (BX)(AX*1), Y23, K2

// JOIN asks node I and takes L for the blocks that go left, R for the others.
#define JOIN(I, LA, LB, RA, RB) \
	NODE(I);                  \
	VPBLENDMB RA, LA, K1, LA; \
	VPBLENDMB RB, LB, K2, LB

// LEVEL4 and LEVEL3 set A and B to L, R, LL or RR, which are the numbers of the leaves
// below node I of that level.
#define LEVEL4(I, L, R, A, B) \
	NODE(I);               \
	VPBLENDMB R, L, K1, A; \
	VPBLENDMB R, L, K2, B

#define LEVEL3(I, L, R, LL, RR, A, B, A1, B1) \
	LEVEL4(2*(I), L, R, A, B);       \
	LEVEL4(2*(I)+1, LL, RR, A1, B1); \
	JOIN(I, A, B, A1, B1)

// LEVEL2 and LEVEL1 count the leaves from the first one below node I.
#define LEVEL2(I, A, B, A1, B1, A2, B2) \
	LEVEL3(2*(I), Y24, Y25, Y26, Y27, A, B, A1, B1);     \
	LEVEL3(2*(I)+1, Y28, Y29, Y30, Y31, A1, B1, A2, B2); \
	JOIN(I, A, B, A1, B1)

#define LEVEL1(I, A, B, A1, B1, A2, B2, A3, B3) \
	LEVEL2(2*(I), A, B, A1, B1, A2, B2);     \
	LEVEL2(2*(I)+1, A1, B1, A2, B2, A3, B3); \
	VPADDB Y22, A1, A1;                      \
	VPADDB Y22, B1, B1;                      \
	JOIN(I, A, B, A1, B1)

// LEAVES adds the values of the leaves, which are in Z8, to the sums of a tile. YA, the
// lower half of ZA, has the numbers of the leaves.
#define LEAVES(YA, ZA, SUM, MORE) \
	VPMOVZXBW     YA, ZA;        \
	VPERMW        Z8, ZA, Z9;    \
	VPMOVSXWD     Y9, Z10;       \
	VPADDD        Z10, SUM, SUM; \
	VEXTRACTI64X4 $1, Z9, Y9;    \
	VPMOVSXWD     Y9, Z10;       \
	VPADDD        Z10, MORE, MORE

// func addPair(trees *Tree, n int, a, b *blocks.Tile, sumsA, sumsB *Sums)
TEXT ·addPair(SB), NOSPLIT, $0-48
	MOVQ trees+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ a+16(FP), DX
	MOVQ b+24(FP), BX
	MOVQ sumsA+32(FP), DI
	MOVQ sumsB+40(FP), R8
	VMOVDQU64 (DI), Z16
	VMOVDQU64 64(DI), Z17
	VMOVDQU64 (R8), Z18
	VMOVDQU64 64(R8), Z19
	MOVL $0x01010101, AX
	VPBROADCASTD AX, Y25
	VPXORQ Y24, Y24, Y24
	VPADDB Y25, Y25, Y26
	VPADDB Y25, Y26, Y27
	VPADDB Y25, Y27, Y28
	VPADDB Y25, Y28, Y29
	VPADDB Y25, Y29, Y30
	VPADDB Y25, Y30, Y31
	VPADDB Y25, Y31, Y22
	VPADDB Y22, Y22, Y21

tree:
	LEVEL1(2, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)
	LEVEL1(3, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9)
	VPADDB Y21, Y2, Y2
	VPADDB Y21, Y3, Y3
	JOIN(1, Y0, Y1, Y2, Y3)
	VMOVDQU64 64(SI), Z8
	LEAVES(Y0, Z0, Z16, Z17)
	LEAVES(Y1, Z1, Z18, Z19)
	ADDQ $128, SI
	DECQ CX
	JNE  tree

	VMOVDQU64 Z16, (DI)
	VMOVDQU64 Z17, 64(DI)
	VMOVDQU64 Z18, (R8)
	VMOVDQU64 Z19, 64(R8)
	VZEROUPPER
	RET
