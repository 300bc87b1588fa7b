// Package language finds the language that a page declares, and the one that its text and
// the text of each extractor are written in.
//
// # Declared
//
// The first of these that states one language tag (BCP 47): the lang attribute of the html
// element; the header Content-Language; the meta element equivalent to that header; the
// meta element og:locale. A list of several languages says whom a page is for, not what it
// is written in, and is passed over, as are tags that name no registered language. Tags are
// kept in their canonical form: en_us is en-US.
//
// # Found
//
// One pass over the text counts its letters by script. A character of Chinese, Japanese or
// Korean counts as two letters, as it says about as much. Where only one language of the
// web uses the commonest script, that is the language: Greek, Thai, Georgian, Hangul ...
// Japanese is distinguished from Chinese by its kana. For the scripts of several languages (Latin,
// Cyrillic, Arabic, Devanagari, Hebrew, Ethiopic) trigrams decide: the profiles of the
// library whatlanggo for 70 languages, its measure of distance and its confidence. A text of
// up to 3,200 bytes is read whole, a longer one in sixteen windows of 200 bytes that are
// spread evenly over it, so the cost is bounded whatever the length of the text.
//
// The library compares every text with the list of trigrams of every language. Here a table
// has, for each trigram, the languages with it, so that a trigram is looked up once; the
// answers are the same (TestAgainstLibrary).
//
// A page without a language in its text has that of its text with the content of noscript.
//
// # Second language
//
// A window is in another language if that one's score is at least 1.3 times that of the
// language of the text. The language of most letters of such windows is the second one, if
// these are at least a tenth of all letters. A second script counts by its letters. The
// larger of both shares is given.
//
// Languages are codes of ISO 639-1, or of ISO 639-3 where the former has none: de, zh, ceb.
//
// # Limits
//
// Texts of fewer than 20 letters have no language here. Languages that share a script
// without having a profile get the nearest one that has: Catalan becomes Spanish or French,
// Assamese Bengali. Near relatives (Norwegian's two forms and Danish, Croatian and Slovene,
// Indonesian and Javanese) are mixed up in short texts. Filter by language_confidence where
// that matters. A second language in single words or short quotations is not seen, and a
// third one is not reported. Lists of names and products may look like another language.
//
// This package is internal to Winnow and may change in any release.
package language
