#include "textflag.h"

// COLUMN multiplies the eight bytes at I(SI) by the weights W, into Y.
#define COLUMN(I, W, Y) \
	VPMOVZXBD I(SI), Y; \
	VPMULLD   W, Y, Y

// func dotWide(tile *Tile, weights *[Lanes]uint32, sums *uint32, n int)
TEXT ·dotWide(SB), NOSPLIT, $0-32
	MOVQ tile+0(FP), SI
	MOVQ weights+8(FP), DX
	MOVQ sums+16(FP), DI
	MOVQ n+24(FP), CX
	VMOVDQU (DX), Y8
	VMOVDQU 32(DX), Y9
	VMOVDQU 64(DX), Y10
	VMOVDQU 96(DX), Y11

column:
	COLUMN(0, Y8, Y0)
	COLUMN(8, Y9, Y1)
	COLUMN(16, Y10, Y2)
	COLUMN(24, Y11, Y3)
	VPADDD Y1, Y0, Y0
	VPADDD Y3, Y2, Y2
	VPADDD Y2, Y0, Y0

	// The sum of the eight numbers of Y0.
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0x4E, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xB1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, (DI)

	ADDQ $32, SI
	ADDQ $4, DI
	DECQ CX
	JNE  column
	VZEROUPPER
	RET
