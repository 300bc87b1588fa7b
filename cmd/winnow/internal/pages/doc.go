// Package pages has the pages of the inputs that users name on the command line, and finds
// the one that a user means.
package pages
