// Package columnar holds the tables of a run as Arrow columns in Parquet files.
//
// A Table is a value that says how a row type of schemas lies in columns: one
// line per column with its name, its type and where in the row it comes from.
// Writers and readers of all tables are made from these lines, so a column is
// added in one place.
//
// # Files
//
// Shards, which workers write for one item, and parts, which the aggregator
// makes of many shards, are the same format with other sizes: Parquet with
// dictionary pages for repeated strings, zstd, and in the metadata of the file
//
//	winnow.table     the table's name
//	winnow.version   the version of the records (schemas.Version)
//	winnow.run       the run's id
//	winnow.recipe    the hash of the run's recipe
//
// The same rows in the same order give the same bytes. Numbers that do not exist
// are null, and so are optional strings that are empty.
//
// # Limits
//
// A Writer holds the rows of one row group, a Reader one row group's compressed
// columns and a batch of rows. What is read may be hostile: sizes that a file
// announces are checked before memory is spent on them, and a file that confuses
// the decoder is an error, never a panic.
package columnar
