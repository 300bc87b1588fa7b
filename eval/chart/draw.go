package main

import (
	"fmt"
	"io"
	"math"
)

// The plane of the chart: pages/s from 0.15 to 10,000 on a logarithmic scale, word F1 from 65 to 92.
const (
	left, right, top, bottom = 70.0, 890.0, 58.0, 330.0
	slowest, fastest         = 0.15, 10_000.0
	worst, best              = 65.0, 92.0
)

func x(speed float64) float64 {
	return left + (right-left)*math.Log(speed/slowest)/math.Log(fastest/slowest)
}

func y(f1 float64) float64 { return bottom - (bottom-top)*(f1-worst)/(best-worst) }

// draw writes the chart as SVG in the colours of docs/flow.svg.
func draw(w io.Writer, points []point) {
	fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 392" role="img" aria-labelledby="t d" font-family="-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif">
<title id="t">Word F1 against speed</title>
<desc id="d">`)
	for i, p := range points {
		if i > 0 {
			fmt.Fprint(w, "; ")
		}
		fmt.Fprintf(w, "%s: word F1 %.1f at %v pages/s", p.name, p.f1, p.speed)
		if p.published {
			fmt.Fprint(w, ", as published")
		}
	}
	fmt.Fprint(w, `</desc>
<rect width="920" height="392" rx="10" fill="#fbf8f1"/>
<g font-size="12" fill="#5b5344" text-anchor="end">
`)
	for f1 := 65.0; f1 <= 90; f1 += 5 {
		fmt.Fprintf(w, `<path d="M%g %.1fH%g" stroke="#e6dcc3"/><text x="%g" y="%.1f">%g</text>`+"\n", left, y(f1), right, left-8, y(f1)+4, f1)
	}
	fmt.Fprint(w, `</g>
<g font-size="12" fill="#5b5344" text-anchor="middle">
`)
	for _, speed := range []float64{1, 10, 100, 1000, 10_000} {
		fmt.Fprintf(w, `<path d="M%.1f %gV%g" stroke="#e6dcc3"/><text x="%.1f" y="%g">%v</text>`+"\n", x(speed), top, bottom, x(speed), bottom+18, speed)
	}
	fmt.Fprintf(w, `<text x="%g" y="%g">pages a second (logarithmic); those measured are of 135 kB each</text>
</g>
<text x="24" y="32" font-size="15" font-weight="600" fill="#2f2a20">Word F1 on the development set of WCXB, in percent</text>
<g font-size="12" fill="#5b5344"><circle cx="600" cy="28" r="5" fill="#b07a1e"/><text x="611" y="32">measured, one core</text><circle cx="744" cy="28" r="5" fill="none" stroke="#5b5344" stroke-width="1.6"/><text x="755" y="32">published by others</text></g>
<g font-size="13" fill="#2f2a20" text-anchor="middle">
`, (left+right)/2, bottom+42)
	for _, p := range points {
		fill, stroke, weight, label := "#b07a1e", "#b07a1e", "400", y(p.f1)-12
		if p.published {
			fill, stroke = "none", "#5b5344"
		}
		if p.name == "winnow" {
			weight = "700"
		}
		if p.under {
			label = y(p.f1) + 22
		}
		fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="6" fill="%s" stroke="%s" stroke-width="1.6"/><text x="%.1f" y="%.1f" font-weight="%s">%s</text>`+"\n",
			x(p.speed), y(p.f1), fill, stroke, x(p.speed), label, weight, p.name)
	}
	fmt.Fprint(w, "</g>\n</svg>\n")
}
