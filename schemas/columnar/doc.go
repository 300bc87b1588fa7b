// Package columnar holds the tables of a run as Arrow columns in Parquet files.
//
// A Table is a value that says how a row type of schemas lies in columns: one
// line per column with its name, its type and where in the row it comes from.
// Writers and readers of all tables are made from these lines, so a column is
// added in one place.
//
// # Files
//
// Parts, which the aggregator makes of many shards, are Parquet with dictionary
// pages for repeated strings and zstd, and in the metadata of the file
//
//	winnow.table     the table's name
//	winnow.version   the version of the records (schemas.Version)
//	winnow.run       the run's id
//	winnow.recipe    the hash of the run's recipe
//
// The same rows in the same order give the same bytes. Numbers that do not exist
// are null, and so are optional strings that are empty.
//
// Shards, which workers write for one item, are the same with smaller row groups
// and snappy. Arrow's own stream format was the alternative. It is written in 60%
// of the time (1.8 against 3.1 microseconds per row of documents), but both are
// little beside the extraction behind a row; it is read a third faster and takes
// twice the bytes. One format means one writer and one bounded reader to trust, shards
// that any tool can look into while a run is going on, and text shards that
// become parts as they are. With zstd a shard costs another 60%: the library
// makes a new encoder for each page.
//
// Parquet written here opens in DuckDB, Polars, pandas and whatever else reads the
// format with plain types: strings, 64-bit and 32-bit integers, doubles, booleans
// and one list of integers. No Arrow schema is stored beside Parquet's own, which
// says all there is to say.
//
// # Limits
//
// A Writer holds the rows of one row group, a Reader one row group's compressed
// columns and a batch of rows. What is read may be hostile: the decoder believes
// every size that a file announces, so a guard checks them all before (guard.go),
// and a file that confuses the decoder is an error, never a panic.
//
// # When not to use it
//
// Records that cross the queue are JSON (package schemas). A file here is worth
// its cost from some hundred rows on: it has a footer of 4 kB.
package columnar
