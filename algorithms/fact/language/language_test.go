package language

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/RadhiFadlillah/whatlanggo"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/fact"
)

func TestFact(t *testing.T) { algotest.Fact(t, Fact) }

func BenchmarkFact(b *testing.B) { algotest.BenchmarkFact(b, Fact) }

// golden are texts of the languages that the library decides on.
var golden = map[string]string{
	"en":  "The farmers threw the grain into the air, and the wind carried the chaff away from the barn. Nobody had to be told twice.",
	"de":  "Die Bauern warfen das Korn in die Luft, und der Wind trug die Spreu von der Scheune weg. Das musste man niemandem zweimal sagen.",
	"fr":  "Les paysans lançaient le grain en l'air et le vent emportait la paille loin de la grange. Il ne fallait pas le dire deux fois.",
	"es":  "Los campesinos lanzaban el grano al aire y el viento se llevaba la paja lejos del granero. No hacía falta decirlo dos veces.",
	"it":  "I contadini gettavano il grano in aria e il vento portava via la pula dal granaio. Non bisognava dirlo due volte a nessuno.",
	"pt":  "Os camponeses lançavam o grão ao ar e o vento levava a palha para longe do celeiro. Não era preciso dizer duas vezes.",
	"nl":  "De boeren gooiden het graan in de lucht en de wind blies het kaf weg van de schuur. Dat hoefde je niemand twee keer te zeggen.",
	"pl":  "Chłopi rzucali ziarno w powietrze, a wiatr unosił plewy daleko od stodoły. Nikomu nie trzeba było tego dwa razy powtarzać.",
	"fi":  "Talonpojat heittivät viljan ilmaan, ja tuuli kantoi akanat pois ladon luota. Kenellekään ei tarvinnut sanoa sitä kahdesti.",
	"tr":  "Köylüler tahılı havaya savuruyor, rüzgâr da samanı ambardan uzağa taşıyordu. Bunu kimseye iki kez söylemek gerekmiyordu.",
	"hu":  "A parasztok a levegőbe dobták a gabonát, és a szél elvitte a pelyvát a csűrtől. Ezt senkinek sem kellett kétszer mondani.",
	"ru":  "Крестьяне бросали зерно в воздух, и ветер уносил шелуху прочь от сарая. Никому не нужно было повторять это дважды.",
	"uk":  "Селяни кидали зерно в повітря, і вітер відносив полову геть від клуні. Нікому не треба було казати про це двічі.",
	"ar":  "كان الفلاحون يرمون الحبوب في الهواء وكانت الريح تحمل القش بعيدا عن المخزن. ولم يكن أحد يحتاج إلى أن يقال له ذلك مرتين.",
	"fa":  "کشاورزان گندم را به هوا می\u200cانداختند و باد کاه را از انبار دور می\u200cکرد. لازم نبود این را دو بار به کسی بگویند.",
	"he":  "האיכרים זרקו את הגרעינים אל האוויר והרוח נשאה את המוץ הרחק מן האסם. לא היה צורך לומר זאת פעמיים לאף אחד.",
	"hi":  "किसान अनाज को हवा में उछालते थे और हवा भूसे को खलिहान से दूर ले जाती थी। यह बात किसी को दो बार नहीं बतानी पड़ती थी।",
	"vi":  "Những người nông dân tung thóc lên không trung và gió cuốn trấu đi xa khỏi kho. Không ai cần phải được nhắc đến lần thứ hai.",
	"ceb": "Ang mga mag-uuma nagsalibay sa mga lugas ngadto sa hangin ug ang hangin nagdala sa mga tahop palayo sa kamalig.",
}

// byScript are texts whose language the script tells.
var byScript = map[string]string{
	"ko": "농부들은 곡식을 공중에 던지고 바람은 겨를 날려 보냈다.",
	"ja": "農民は穀物を空中に投げ、風が籾殻を運び去った。",
	"zh": "农民把谷物抛向空中，风把谷壳吹走了。",
	"el": "Οι αγρότες πετούσαν το σιτάρι στον αέρα.",
	"th": "ชาวนาโยนข้าวขึ้นไปในอากาศ",
	"ka": "გლეხები მარცვალს ჰაერში ისროდნენ.",
	"hy": "Գյուղացիները հացահատիկը նետում էին օդ։",
	"ta": "விவசாயிகள் தானியத்தை காற்றில் வீசினர்.",
	"bn": "কৃষকেরা শস্য বাতাসে ছুড়ে দিত।",
}

func language(text string) (string, float64) {
	f := detect(algotest.Pass("<p>x"), []byte(text))
	return f.code, f.confidence
}

func TestGolden(t *testing.T) {
	for want, text := range golden {
		if got, sure := language(text); got != want || sure <= 0 || sure > 1 {
			t.Errorf("%s: %s (%v)", want, got, sure)
		}
	}
	for want, text := range byScript {
		if got, sure := language(text); got != want || sure != 1 {
			t.Errorf("%s: %s (%v)", want, got, sure)
		}
		// Names and addresses in Latin letters do not change it.
		if got, sure := language(text + " www.example.org"); got != want || sure <= .5 || sure >= 1 {
			t.Errorf("%s with an address: %s (%v)", want, got, sure)
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, text := range []string{"", "Home", "12,345.67 !!! 8:00 — 9:00 ...................", strings.Repeat("\xff", 100), "穀物"} {
		if got, sure := language(text); got != "" || sure != 0 {
			t.Errorf("%q is %s (%v)", text, got, sure)
		}
	}
}

func TestScripts(t *testing.T) {
	for _, f := range []struct {
		text         string
		want         script
		letters, all int
	}{
		{"ab cd ж!", latin, 4, 5},
		{"中文字の", kana, 8, 8},           // a quarter of kana
		{"中文字中文字中文字中文字の", han, 26, 26}, // Chinese quotes it, too
		{"中文한x", hangul, 6, 7},
		{"αβγ ab", greek, 3, 5},
	} {
		if got := tallyOf([]byte(f.text)); got.first != f.want || got.letters != f.letters || got.all != f.all {
			t.Errorf("%s: script %d, %d of %d letters, want %d, %d of %d", f.text, got.first, got.letters, got.all, f.want, f.letters, f.all)
		}
	}
	if !slices.IsSortedFunc(blocks, func(a, b block) int { return int(a.first - b.first) }) {
		t.Error("the blocks are not in order")
	}
	for i, b := range blocks {
		if b.last < b.first || i > 0 && b.first <= blocks[i-1].last {
			t.Errorf("block %x to %x overlaps the one before", b.first, b.last)
		}
	}
	for s := latin; s < scripts; s++ {
		if (of[s] == "") != (s <= ethiopic) {
			t.Errorf("script %d has the language %q", s, of[s])
		}
	}
}

// codes are the languages of the library.
var codes = func() map[whatlanggo.Lang]string {
	m := map[whatlanggo.Lang]string{}
	for l := range whatlanggo.Langs {
		m[l] = l.Iso6391()
		switch {
		case l == whatlanggo.Ydd:
			m[l] = "yi"
		case l == whatlanggo.Bho:
			m[l] = "bho" // bh is withdrawn
		case m[l] == "":
			m[l] = l.Iso6393()
		}
	}
	return m
}()

func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for l, code := range codes {
		if seen[code] || len(code) != 2 && len(code) != 3 {
			t.Errorf("%s has the code %q", l, code)
		}
		seen[code] = true
	}
	if len(codes) != 84 || codes[whatlanggo.Ydd] != "yi" || codes[whatlanggo.Ceb] != "ceb" {
		t.Errorf("%d languages", len(codes))
	}
}

// TestLong checks that a long text is read everywhere, and that the library gets little of it.
func TestLong(t *testing.T) {
	text := strings.Repeat(golden["en"]+" ", 20) + strings.Repeat(golden["de"]+" ", 80)
	if got, _ := language(text); got != "de" {
		t.Errorf("a text that is mostly German is %q", got)
	}
	if got, _ := language(strings.Repeat("ж", 20000)); got == "en" {
		t.Error(got)
	}
	var b buffer
	b.read([]byte(strings.Repeat("word жж 12 ", 1000)), latin, windows, windowBytes)
	letters := 0
	for _, w := range b.windows {
		letters += int(w.letters)
	}
	if len(b.windows) != windows || letters > windows*(windowBytes+longestWord) {
		t.Errorf("%d windows with %d letters", len(b.windows), letters)
	}
}

// TestSecond has texts in two languages, as pages with translations and quotations are.
func TestSecond(t *testing.T) {
	for _, f := range []struct {
		main, second string
		times        [2]int
		from, to     float64
	}{
		{"en", "de", [2]int{7, 3}, .15, .45}, {"de", "fr", [2]int{3, 2}, .25, .5}, {"es", "en", [2]int{60, 20}, .15, .35},
		{"ru", "uk", [2]int{8, 3}, .1, .4}, {"en", "ru", [2]int{4, 2}, .2, .45}, {"ru", "el", [2]int{4, 4}, .1, .4}, {"ja", "en", [2]int{4, 1}, .1, .5},
		{"en", "", [2]int{20, 0}, 0, 0}, {"fi", "", [2]int{1, 0}, 0, 0}, {"el", "", [2]int{3, 0}, 0, 0}, {"de", "", [2]int{40, 1}, 0, 0},
	} {
		text := ""
		for i, code := range []string{f.main, f.second} {
			text += strings.Repeat(golden[code]+byScript[code]+"\n", f.times[i])
		}
		got := detect(algotest.Pass("<p>x"), []byte(text))
		if got.code != f.main || got.second != f.second || got.share < f.from || got.share > f.to {
			t.Errorf("%d times %s and %d times %s: %+v", f.times[0], f.main, f.times[1], f.second, got)
		}
	}
}

func TestDeclared(t *testing.T) {
	for _, f := range []struct{ html, header, want, source string }{
		{`<html lang=en_us><meta property=og:locale content=fr_FR>`, "de", "en-US", "html"},
		{`<html lang=" "><meta property=og:locale content=fr_FR>`, "de", "de", "header"},
		{`<html lang=english><meta http-equiv=Content-Language content=it>`, "de, en", "it", "meta"},
		{`<html lang=und><meta property=og:locale content=pt_BR>`, "x", "pt-BR", "opengraph"},
		{`<html lang=iw>`, "", "he", "html"},
		{`<html lang=zh-hant-tw>`, "", "zh-Hant-TW", "html"},
		{`<html lang=zz><p lang=de>x`, "", "", ""},
		{`<html lang=` + strings.Repeat("en-", 100) + `>`, strings.Repeat("de,", 1000), "", ""},
		{`<p>x`, "", "", ""},
	} {
		var headers []fact.Header
		if f.header != "" {
			headers = append(headers, fact.Header{Name: "content-language", Value: f.header})
		}
		got := algotest.Show(Fact.Page, algotest.FindOn(t, Fact.Page, algotest.Pass(f.html), nil, headers...))
		if got["declared_language"] != f.want || got["declared_language_source"] != f.source {
			t.Errorf("%s: %v, want %s of %s", f.html, got, f.want, f.source)
		}
	}
}

func TestColumns(t *testing.T) {
	p := algotest.Pass("<html lang=en><p>" + golden["fr"])
	page := algotest.Show(Fact.Page, algotest.FindOn(t, Fact.Page, p, nil))
	text := algotest.Show(Fact.Text, algotest.FindOn(t, Fact.Text, p, []byte(golden["de"])))
	if page["declared_language"] != "en" || page["language"] != "fr" || page["language_confidence"] == "" || text["language"] != "de" || text["language_confidence"] == "" {
		t.Errorf("%v, %v", page, text)
	}
}

// TestNoscript has a page whose whole text is in noscript, as some forums serve it.
func TestNoscript(t *testing.T) {
	p := algotest.Pass("<body><div>Menu</div><noscript><p>" + golden["fr"] + "</p></noscript>")
	if page := algotest.Show(Fact.Page, algotest.FindOn(t, Fact.Page, p, nil)); page["language"] != "fr" {
		t.Errorf("%v", page)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	var b buffer
	text := []byte(strings.Repeat(golden["en"]+golden["ru"], 50))
	if n := testing.AllocsPerRun(5, func() { b.detect(text, windows, windowBytes) }); n > 0 {
		t.Errorf("%v allocations a text", n)
	}
}

func FuzzDetect(f *testing.F) {
	for _, text := range golden {
		f.Add(text, "en-US")
	}
	for _, text := range byScript {
		f.Add(strings.Repeat(text, 30), "x-default")
	}
	f.Add("\xff\xfeab\xc3", "de_DE.UTF-8")
	f.Fuzz(func(t *testing.T, text, tag string) {
		code, sure := language(text)
		if f := detect(algotest.Pass("<p>x"), []byte(text)); (f.second == "") != (f.share == 0) || f.share < 0 || f.share > 1 || f.second != "" && f.second == f.code {
			t.Errorf("%+v", f)
		}
		if again, sureAgain := language(text); again != code || sureAgain != sure {
			t.Errorf("%s (%v), then %s (%v)", code, sure, again, sureAgain)
		}
		if (code == "") != (sure == 0) || sure < 0 || sure > 1 || math.IsNaN(sure) {
			t.Errorf("%q (%v)", code, sure)
		}
		c := canonical(tag)
		if c != "" && canonical(c) == "" || !utf8.ValidString(c) {
			t.Errorf("%q is %q, which is no tag", tag, c)
		}
	})
}
