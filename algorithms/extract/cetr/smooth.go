package cetr

import "math"

// kernel has the Gauss weights of standard deviation s at distances 0, 1, … ⌈s⌉.
func kernel(s float64) []float64 {
	k := make([]float64, 1+int(math.Ceil(s)))
	for j := range k {
		k[j] = math.Exp(-float64(j*j) / float64(2*float64(s*s)))
	}
	return k
}

// smooth sets dst to the weighted means of src around every entry; weights
// beyond the ends do not count.
func smooth(dst, src, kernel []float64) {
	radius := len(kernel) - 1
	for i := range dst {
		sum, weights := 0.0, 0.0
		for j := max(0, i-radius); j < min(len(src), i+radius+1); j++ {
			w := kernel[max(i-j, j-i)]
			sum += float64(w * src[j])
			weights += w
		}
		dst[i] = sum / weights
	}
}
