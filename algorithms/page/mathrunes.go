package page

import "golang.org/x/text/unicode/norm"

// texOfRune returns a character of mathematics as TeX: its command, or itself if it has none.
func texOfRune(r rune) string {
	switch {
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9':
		return string(r)
	case r == '\u2061' || r == '\u2062' || r == '\u2063' || r == '\u2064' || r == '\u200B':
		return "" // invisible operators and spaces, which TeX does not write
	}
	if s, ok := commandsOfTeX[r]; ok {
		return s
	}
	if 0x1D400 <= r && r <= 0x1D7FF { // letters of a typeface are written as plain ones
		for _, plain := range norm.NFKC.String(string(r)) {
			return texOfRune(plain)
		}
	}
	return string(r)
}

var commandsOfTeX = map[rune]string{
	'{': `\{`, '}': `\}`, '%': `\%`, '#': `\#`, '&': `\&`, '$': `\$`, '_': `\_`, '\\': `\backslash`, '\u00A0': " ", '−': "-", '′': "'", '″': "''", '…': `\ldots`,
	'⋯': `\cdots`, '⋮': `\vdots`, '⋱': `\ddots`,
	'α': `\alpha`, 'β': `\beta`, 'γ': `\gamma`, 'δ': `\delta`, 'ε': `\varepsilon`, 'ϵ': `\epsilon`, 'ζ': `\zeta`, 'η': `\eta`, 'θ': `\theta`, 'ϑ': `\vartheta`,
	'ι': `\iota`, 'κ': `\kappa`, 'λ': `\lambda`, 'μ': `\mu`, 'ν': `\nu`, 'ξ': `\xi`, 'π': `\pi`, 'ϖ': `\varpi`, 'ρ': `\rho`, 'ϱ': `\varrho`, 'σ': `\sigma`,
	'ς': `\varsigma`, 'τ': `\tau`, 'υ': `\upsilon`, 'φ': `\varphi`, 'ϕ': `\phi`, 'χ': `\chi`, 'ψ': `\psi`, 'ω': `\omega`,
	'Γ': `\Gamma`, 'Δ': `\Delta`, 'Θ': `\Theta`, 'Λ': `\Lambda`, 'Ξ': `\Xi`, 'Π': `\Pi`, 'Σ': `\Sigma`, 'Υ': `\Upsilon`, 'Φ': `\Phi`, 'Ψ': `\Psi`, 'Ω': `\Omega`,
	'±': `\pm`, '∓': `\mp`, '×': `\times`, '÷': `\div`, '·': `\cdot`, '⋅': `\cdot`, '∗': `*`, '⋆': `\star`, '∘': `\circ`, '∙': `\bullet`, '•': `\bullet`,
	'⊕': `\oplus`, '⊗': `\otimes`, '⊖': `\ominus`, '⊙': `\odot`, '∧': `\wedge`, '∨': `\vee`, '∩': `\cap`, '∪': `\cup`, '∖': `\setminus`, '†': `\dagger`,
	'≤': `\leq`, '≥': `\geq`, '≠': `\neq`, '≈': `\approx`, '≡': `\equiv`, '∼': `\sim`, '≃': `\simeq`, '≅': `\cong`, '∝': `\propto`, '≪': `\ll`, '≫': `\gg`,
	'≺': `\prec`, '≻': `\succ`, '⊂': `\subset`, '⊃': `\supset`, '⊆': `\subseteq`, '⊇': `\supseteq`, '∈': `\in`, '∉': `\notin`, '∋': `\ni`, '⊢': `\vdash`,
	'⊨': `\models`, '⊥': `\perp`, '∥': `\parallel`, '∣': `\mid`, '‖': `\Vert`, '≔': `:=`,
	'→': `\to`, '←': `\leftarrow`, '↔': `\leftrightarrow`, '⇒': `\Rightarrow`, '⇐': `\Leftarrow`, '⇔': `\Leftrightarrow`, '↦': `\mapsto`, '⟶': `\longrightarrow`,
	'⟹': `\Longrightarrow`, '⟺': `\iff`, '↑': `\uparrow`, '↓': `\downarrow`, '↪': `\hookrightarrow`, '⇝': `\leadsto`,
	'∀': `\forall`, '∃': `\exists`, '∄': `\nexists`, '¬': `\neg`, '∅': `\emptyset`, '∞': `\infty`, '∂': `\partial`, '∇': `\nabla`, 'ℏ': `\hbar`, 'ℓ': `\ell`,
	'ℜ': `\Re`, 'ℑ': `\Im`, 'ℵ': `\aleph`, '∠': `\angle`, '△': `\triangle`, '□': `\square`, '⊤': `\top`, '°': `^\circ`, '√': `\surd`,
	'∑': `\sum`, '∏': `\prod`, '∐': `\coprod`, '∫': `\int`, '∬': `\iint`, '∭': `\iiint`, '∮': `\oint`, '⋃': `\bigcup`, '⋂': `\bigcap`, '⋁': `\bigvee`,
	'⋀': `\bigwedge`, '⨁': `\bigoplus`, '⨂': `\bigotimes`,
	'⟨': `\langle`, '⟩': `\rangle`, '〈': `\langle`, '〉': `\rangle`, '⌊': `\lfloor`, '⌋': `\rfloor`, '⌈': `\lceil`, '⌉': `\rceil`,
	'ℝ': `\mathbb{R}`, 'ℂ': `\mathbb{C}`, 'ℕ': `\mathbb{N}`, 'ℤ': `\mathbb{Z}`, 'ℚ': `\mathbb{Q}`, 'ℙ': `\mathbb{P}`, 'ℍ': `\mathbb{H}`,
	'ℒ': `\mathcal{L}`, 'ℋ': `\mathcal{H}`, 'ℱ': `\mathcal{F}`, 'ℬ': `\mathcal{B}`, 'ℰ': `\mathcal{E}`, 'ℛ': `\mathcal{R}`, 'ℳ': `\mathcal{M}`,
}
