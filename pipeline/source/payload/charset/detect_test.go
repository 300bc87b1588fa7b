package charset

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"
)

// paragraphs holds a paragraph of the same story for each language.
var paragraphs = map[string]string{
	"ru": "Вчера вечером в городском парке открылась большая выставка цветов. Посетители могли увидеть более тысячи растений, привезённых из разных стран мира. Организаторы говорят, что такая выставка проводится впервые и будет работать до конца месяца. Вход для детей бесплатный.",
	"uk": "Учора ввечері у міському парку відкрилася велика виставка квітів. Відвідувачі могли побачити понад тисячу рослин, привезених із різних країн світу. Організатори кажуть, що така виставка проводиться вперше і працюватиме до кінця місяця. Вхід для дітей безкоштовний, її чекають усі.",
	"bg": "Вчера вечерта в градския парк беше открита голяма изложба на цветя. Посетителите можеха да видят повече от хиляда растения, донесени от различни страни по света. Организаторите казват, че такава изложба се провежда за първи път и ще работи до края на месеца.",
	"el": "Χθες το βράδυ στο πάρκο της πόλης άνοιξε μια μεγάλη έκθεση λουλουδιών. Οι επισκέπτες μπορούσαν να δουν πάνω από χίλια φυτά από διάφορες χώρες του κόσμου. Οι διοργανωτές λένε ότι μια τέτοια έκθεση γίνεται για πρώτη φορά και θα διαρκέσει μέχρι το τέλος του μήνα.",
	"he": "אתמול בערב נפתחה בפארק העירוני תערוכת פרחים גדולה. המבקרים יכלו לראות יותר מאלף צמחים שהובאו ממדינות שונות בעולם. המארגנים אומרים כי תערוכה כזו נערכת לראשונה ותהיה פתוחה עד סוף החודש. הכניסה לילדים חינם.",
	"ar": "افتتح مساء أمس في حديقة المدينة معرض كبير للزهور. وتمكن الزوار من مشاهدة أكثر من ألف نبتة جلبت من بلدان مختلفة من العالم. ويقول المنظمون إن مثل هذا المعرض يقام للمرة الأولى وسيستمر حتى نهاية الشهر. الدخول مجاني للأطفال.",
	"tr": "Dün akşam şehir parkında büyük bir çiçek sergisi açıldı. Ziyaretçiler dünyanın çeşitli ülkelerinden getirilen binden fazla bitkiyi görebildi. Düzenleyiciler böyle bir serginin ilk kez yapıldığını ve ay sonuna kadar süreceğini söylüyor. Çocuklar için giriş ücretsiz, ağaçların gölgesinde oturmak güzel.",
	"pl": "Wczoraj wieczorem w parku miejskim otwarto dużą wystawę kwiatów. Zwiedzający mogli zobaczyć ponad tysiąc roślin sprowadzonych z różnych krajów świata. Organizatorzy mówią, że taka wystawa odbywa się po raz pierwszy i będzie czynna do końca miesiąca. Wstęp dla dzieci jest bezpłatny, więc przyjdźcie całą rodziną.",
	"cs": "Včera večer byla v městském parku otevřena velká výstava květin. Návštěvníci mohli vidět více než tisíc rostlin přivezených z různých zemí světa. Pořadatelé říkají, že se taková výstava koná poprvé a potrvá do konce měsíce. Vstup pro děti je zdarma, přijďte všichni.",
	"hu": "Tegnap este nagy virágkiállítás nyílt a városi parkban. A látogatók több mint ezer növényt láthattak, amelyeket a világ különböző országaiból hoztak. A szervezők szerint ilyen kiállítást először rendeznek, és a hónap végéig tart nyitva. A gyerekeknek a belépés ingyenes, jöjjenek őszintén örülni.",
	"de": "Gestern Abend wurde im Stadtpark eine große Blumenausstellung eröffnet. Die Besucher konnten über tausend Pflanzen aus verschiedenen Ländern sehen. Die Veranstalter sagen, dass eine solche Schau zum ersten Mal stattfindet und bis Ende März geöffnet bleibt. Für Kinder ist der Eintritt frei, schöne Grüße.",
	"fr": "Hier soir, une grande exposition de fleurs a été inaugurée dans le parc de la ville. Les visiteurs ont pu découvrir plus de mille plantes venues de différents pays. Les organisateurs déclarent qu’une telle exposition a lieu pour la première fois et qu’elle durera jusqu’à la fin du mois. L’entrée est gratuite pour les élèves.",
	"es": "Ayer por la tarde se inauguró en el parque de la ciudad una gran exposición de flores. Los visitantes pudieron ver más de mil plantas traídas de distintos países del mundo. Los organizadores dicen que una exposición así se celebra por primera vez y durará hasta fin de mes. La entrada para niños es gratuita. ¿Quién irá mañana?",
	"sv": "I går kväll öppnades en stor blomsterutställning i stadsparken. Besökarna fick se över tusen växter från olika länder i världen. Arrangörerna säger att en sådan utställning hålls för första gången och pågår till månadens slut. För barn är inträdet gratis.",
	"ja": "昨日の夕方、市の公園で大きな花の展覧会が開かれました。来場者は世界のさまざまな国から運ばれた千種類以上の植物を見ることができました。主催者によると、このような展覧会は初めてで、今月の終わりまで続くそうです。子どもの入場は無料です。カメラをお持ちください。",
	"zh": "昨天晚上，市公园里举办的大型花卉展览开幕了。参观者可以看到从世界各国运来的一千多种植物。主办方表示，这样的展览是第一次举办，将一直开放到月底。儿童可以免费入场，欢迎大家前来参观。",
	"zt": "昨天晚上，市公園裡舉辦的大型花卉展覽開幕了。參觀者可以看到從世界各國運來的一千多種植物。主辦方表示，這樣的展覽是第一次舉辦，將一直開放到月底。兒童可以免費入場，歡迎大家前來參觀。",
	"ko": "어제 저녁 시립 공원에서 큰 꽃 전시회가 열렸습니다. 방문객들은 세계 여러 나라에서 가져온 천 종이 넘는 식물을 볼 수 있었습니다. 주최 측은 이런 전시회가 처음 열리는 것이며 이달 말까지 계속된다고 말합니다. 어린이는 무료로 입장할 수 있습니다.",
	"th": "เมื่อเย็นวานนี้มีการเปิดนิทรรศการดอกไม้ขนาดใหญ่ที่สวนสาธารณะของเมือง ผู้เข้าชมสามารถชมพืชพรรณกว่าหนึ่งพันชนิดที่นำมาจากประเทศต่างๆ ทั่วโลก ผู้จัดงานกล่าวว่านิทรรศการเช่นนี้จัดขึ้นเป็นครั้งแรก และจะเปิดจนถึงสิ้นเดือน",
}

// legacy holds the older charsets in which pages in these languages were written.
var legacy = map[string][]string{
	"ru": {"windows-1251", "koi8-r", "iso-8859-5"}, "uk": {"windows-1251", "koi8-u"}, "bg": {"windows-1251"},
	"el": {"windows-1253", "iso-8859-7"}, "he": {"windows-1255", "iso-8859-8"}, "ar": {"windows-1256", "iso-8859-6"},
	"tr": {"windows-1254"}, "pl": {"windows-1250", "iso-8859-2"}, "cs": {"windows-1250", "iso-8859-2"}, "hu": {"windows-1250", "iso-8859-2"},
	"de": {"windows-1252"}, "fr": {"windows-1252"}, "es": {"windows-1252"}, "sv": {"windows-1252"},
	"ja": {"shift_jis", "euc-jp"}, "zh": {"gbk"}, "zt": {"big5"}, "ko": {"euc-kr"}, "th": {"windows-874"},
}

func encoded(t testing.TB, text, charset string) []byte {
	t.Helper()
	enc, err := htmlindex.Get(charset)
	if err != nil {
		t.Fatal(err)
	}
	b, err := enc.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", charset, err)
	}
	return b
}

// TestDetection encodes pages of one paragraph in English markup, without a charset
// declaration. Decoding them must give the original text.
func TestDetection(t *testing.T) {
	markup := func(text string) string {
		return "<html><head><title>" + text[:strings.IndexByte(text, ' ')+1] + "</title><style>p { margin: 1em }</style></head>\n" +
			"<body class=front><div id=content><p>" + text + "</p>\n<a href=\"/index.html\">top</a></div></body></html>"
	}
	var d Decoder
	for lang, text := range paragraphs {
		text = strings.ReplaceAll(text, "，", "， ") // a space somewhere for the title
		page := markup(text + " ")
		for _, charset := range append(legacy[lang], "utf-8", "utf-16le", "utf-16be") {
			doc := d.Decode(encoded(t, page, charset), "")
			if string(doc.HTML) != page {
				t.Errorf("%s in %s: taken for %s (%s)", lang, charset, doc.Charset, doc.Source)
			}
			if doc.Source != FromDetection && doc.Charset != "windows-1252" {
				t.Errorf("%s in %s: %s decided", lang, charset, doc.Source)
			}
		}
	}
}

// TestDetectionIsStable checks that the detector's concurrency does not affect its
// results.
func TestDetectionIsStable(t *testing.T) {
	var d detector
	for seed := range 40 {
		b := []byte(strings.Repeat(" ", 10))
		x := uint32(seed + 1)
		for range 600 {
			x = x*1664525 + 1013904223
			b = append(b, byte(x>>24)|0x80)
		}
		first := d.detect(b)
		for range 20 {
			if again := d.detect(b); again != first {
				t.Fatalf("seed %d: %q, then %q", seed, first, again)
			}
		}
	}
}

// BenchmarkDetect measures the cost of a page that declares no charset and is not
// UTF-8:
//
//	go test -bench Detect ./pipeline/source/payload/charset
func BenchmarkDetect(b *testing.B) {
	page := encoded(b, strings.Repeat("<p>"+paragraphs["ru"]+"</p>\n", 100), "windows-1251")
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	var d detector
	for b.Loop() {
		if d.detect(page) != "windows-1251" {
			b.Fatal("not recognised")
		}
	}
}
