// Package language finds the language that a page declares, and the one that its text and
// the text of each extractor are written in.
//
// # Declared
//
// The first of these that states one language tag (BCP 47): the lang attribute of the html
// element; the header Content-Language; the meta element that stands for that header; the
// meta element og:locale. A list of several languages says whom a page is for, not what it
// is written in, and is passed over, as are tags that name no registered language. Tags are
// kept in their canonical form: en_us is en-US.
//
// # Found
//
// One pass over the text counts its letters by script. A character of Chinese, Japanese or
// Korean counts as two letters, as it says about as much. Where only one language of the
// web uses the commonest script, that is the language: Greek, Thai, Georgian, Hangul ...
// Chinese and Japanese are told apart by kana. For the scripts of several languages (Latin,
// Cyrillic, Arabic, Devanagari, Hebrew, Ethiopic) the library whatlanggo decides, which
// compares trigrams with profiles of 84 languages. It is given the letters of that script
// from twelve places that are spread evenly over the text, about 600 bytes: its own cost
// is then bounded whatever the length of the text.
//
// Languages are codes of ISO 639-1, or of ISO 639-3 where the former has none: de, zh, ceb.
//
// # Limits
//
// Texts of fewer than 20 letters have no language here. The share of a second language is
// not found: the library decides on one, and asking it piece by piece would cost several
// times as much. Languages that share a script without being in the library's profiles get
// the nearest one that is: Catalan becomes Spanish or French, Assamese Bengali. Near
// relatives (Norwegian's two forms and Danish, Croatian and Slovene, Indonesian and
// Javanese) are mixed up in short texts. Filter by language_confidence where that matters.
//
// Linear in the text, with a large constant share for the library.
package language
