package blocks

import (
	"maps"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/feature/stopwords"
)

// wordClass is a set of the meanings that a word of the page's text may have. Bit l
// means that the word is a stop word of the l-th language; the other bits are listed
// below.
type wordClass uint32

const maxLanguages = 12

const (
	wordPersonal wordClass = 1 << (maxLanguages + iota)
	wordComment            // occurs in headings of readers' comments
	wordWho                // occurs beside the name of the author of a comment or posting
	wordMonth
	wordCart
	wordRelated // this and the following occur in headings of what is not the page's content
	wordAuthor
	wordShare
	wordTags
	wordReviews
	wordPopular
	wordHelp
	wordDetails // occurs in headings of content
	wordLegal   // occurs in legal notices
	wordCaption // occurs in captions and credits
	wordSignup
)

// sections lists the classes of headings in the order of their numbers in the feature,
// 1 to 9.
var sections = [...]wordClass{wordRelated, wordComment, wordAuthor, wordShare, wordTags, wordReviews, wordPopular, wordHelp, wordDetails}

type wordList struct {
	class wordClass
	words string
}

var wordLists = []wordList{
	{wordPersonal, `i my me you your im thanks thank lol great love awesome ve hi hey
		ich mein meine du dein danke hallo je mon ma merci tu yo mi gracias io mio grazie eu meu obrigado ik mijn bedankt ja mój dzięki я мне спасибо jag min tack`},
	{wordComment, `comment comments commented respond response responses reply replies discussion talkback feedback trackback trackbacks pingbacks opinions
		kommentar kommentare kommentieren antworten meinungen commentaire commentaires réactions réponses répondre comentario comentarios respuestas opiniones
		commento commenti risposte comentário comentários respostas reactie reacties komentarz komentarze odpowiedzi komentarzy комментарии комментарий отзывы ответы kommentarer svar`},
	{wordWho, `says said wrote ago reply permalink posted report flag joined likes vote quote offensive anonymous registered member
		schrieb schreibt sagt antworten zitieren melden vor gast dit répondre signaler dice responder citar hace scrive rispondi scritto disse responder há reageren schreef geleden
		napisał odpowiedz zgłoś temu написал ответить назад цитировать skrev svara sedan`},
	{wordMonth, `jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september october november december
		januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre novembre décembre
		enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
		janeiro fevereiro março maio junho julho setembro outubro novembro dezembro januari februari maart mei augustus
		stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
		января февраля марта апреля мая июня июля августа сентября октября ноября декабря`},
	{wordCart, `cart basket bag wishlist checkout buy stock sold warenkorb kaufen lieferbar panier acheter carrito comprar añadir carrello acquista carrinho winkelwagen bestellen
		koszyka kup корзину купить kundvagn köp`},
	{wordRelated, `related similar recommend recommended recommendations also further next elsewhere
		weitere weiteres ähnliche mehr verwandte empfehlungen empfohlene passend thema themen similaires lire aussi connexes suggestions relacionado relacionados relacionadas también interesar
		correlati leggi anche simili relacionadas leia também veja gerelateerd verwante lees ook podobne zobacz także polecane похожие читайте также relaterade läs`},
	{wordAuthor, `author authors written autor autorin auteur autore redacción redaktion über автор författare auteurs o auteure`},
	{wordShare, `share subscribe newsletter follow social facebook twitter whatsapp instagram tweet
		teilen folgen abonnieren partager suivez abonnez compartir seguir suscríbete condividi seguici iscriviti compartilhe siga delen volg udostępnij obserwuj поделиться подписаться dela följ`},
	{wordTags, `tag tags tagged categories category filter filters sort refine archive archives topics brand brands navigation menu links
		schlagworte schlagwörter schlagwort stichworte kategorie kategorien rubrik archiv filtern sortieren étiquettes catégories catégorie trier filtrer etiquetas categorías categoría ordenar filtrar
		categorie etichette argomenti categorias marcadores tagi kategorie kategoria теги метки рубрики категории kategorier etiketter`},
	{wordReviews, `review reviews rating ratings testimonials bewertung bewertungen kundenbewertungen avis reseñas valoraciones recensioni avaliações beoordelingen opinie отзывы recensioner`},
	{wordPopular, `recent recently popular trending latest read featured bestsellers arrivals top stories
		neueste neuste aktuell aktuelle beliebt beliebte meistgelesen gelesen derniers dernières populaires lus últimas últimos recientes popular leídas ultime ultimi popolari recenti mais lidas lidos
		laatste populair nieuwste najnowsze popularne последние популярные новости senaste populärt mest`},
	{wordHelp, `shipping delivery returns payment warranty contact help support service company versand lieferung rückgabe zahlung garantie kontakt hilfe kundenservice
		livraison retours paiement contactez aide envío devoluciones pago contacto ayuda spedizione resi pagamento contatti envio devolução contato verzending retourneren dostawa zwroty płatność kontakt доставка оплата гарантия контакты frakt leverans`},
	{wordDetails, `description details specification specifications features overview ingredients beschreibung produktbeschreibung technische daten eigenschaften zutaten caractéristiques descripción características
		descrizione caratteristiche descrição características omschrijving kenmerken specificaties opis specyfikacja описание характеристики beskrivning egenskaper`},
	{wordLegal, `copyright rights reserved privacy cookie cookies terms conditions policy disclaimer imprint
		impressum datenschutz agb rechte vorbehalten urheberrecht mentions légales droits réservés confidentialité derechos reservados privacidad aviso legal diritti riservati direitos
		voorwaarden rechten prywatności prawa zastrzeżone regulamin защищены права конфиденциальности integritetspolicy villkor`},
	{wordCaption, `photo photos photograph photographer image images picture credit getty reuters afp shutterstock istock source
		foto fotos bild bilder quelle dpa imago picture alliance symbolbild crédit crédits fuente imagen créditos fonte immagine bron beeld zdjęcie fot źródło фото источник bild`},
	{wordSignup, `login sign log register email e newsletter subscribe password account username required
		anmelden registrieren abonnieren passwort konto connexion inscription inscrivez courriel mot passe iniciar sesión registrarse correo contraseña accedi registrati iscriviti entrar cadastre senha
		inloggen aanmelden wachtwoord zaloguj zarejestruj hasło войти регистрация пароль logga lösenord`},
}

// wordTable gives the classes of a word from the hash of its lower case. It compares
// hashes and not words: of two million different words on pages, one in two thousand
// has the same hash as a word in the table and wrongly gets its classes.
//
// A word has one slot, which no other word of the table has, so that a lookup has no
// branch that depends on the word.
type wordTable struct {
	factor [1 << 11]uint16 // by the upper bits of a hash; odd, and so chosen that no two words have one slot
	words  [1 << 13]wordEntry
}

// wordEntry is a word, given by its hash; 0 means none.
type wordEntry struct {
	hash  uint32
	class wordClass
}

var knownWords = func() *wordTable {
	classes := make(map[uint32]wordClass)
	for l, language := range stopwords.Languages() {
		for w := range stopwords.Load(language).All() {
			classes[hashOf(w)] |= 1 << l
		}
	}
	for _, l := range wordLists {
		for _, w := range strings.Fields(l.words) {
			classes[hashOf(w)] |= l.class
		}
	}
	return newWordTable(classes)
}()

// newWordTable places the words of a factor together, those that are most first.
func newWordTable(classes map[uint32]wordClass) *wordTable {
	t := new(wordTable)
	var groups [len(t.factor)][]uint32
	for _, h := range slices.Sorted(maps.Keys(classes)) {
		groups[h>>21] = append(groups[h>>21], h)
	}
	slices.SortStableFunc(groups[:], func(a, b []uint32) int { return len(b) - len(a) })
	for _, group := range groups {
		if len(group) == 0 {
			break
		}
		for !t.place(group) {
			t.factor[group[0]>>21] += 2
		}
		for _, h := range group {
			t.slot(h).class = classes[h]
		}
	}
	return t
}

// place puts words into the slots that their factor gives them, if all of these are free.
func (t *wordTable) place(group []uint32) bool {
	t.factor[group[0]>>21] |= 1
	for i, h := range group {
		if e := t.slot(h); e.hash == 0 {
			e.hash = h
			continue
		}
		for _, h := range group[:i] {
			t.slot(h).hash = 0
		}
		return false
	}
	return true
}

func (t *wordTable) slot(h uint32) *wordEntry {
	return &t.words[h*uint32(t.factor[h>>21])>>19]
}

// of returns the classes of the word with the hash h.
func (t *wordTable) of(h uint32) wordClass {
	e := t.slot(h)
	same := int64(uint64(e.hash^h)-1) >> 63 // all bits if the hashes are equal, otherwise none
	return e.class & wordClass(same)
}

func hashOf(word string) uint32 {
	h := uint32(hashSeed)
	for _, b := range []byte(word) {
		h = (h ^ uint32(b)) * hashPrime
	}
	return h
}

// These are the parameters of the hash FNV-1a.
const (
	hashSeed  = 2166136261
	hashPrime = 16777619
)
