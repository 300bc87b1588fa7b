package schemas

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The names of the files in the folders of an output folder. People and other programs may
// put files there too. A run deletes what its crashed processes left, and distinguishes
// those files from other files by these names.
var (
	partFile   = regexp.MustCompile(`^part-[0-9]{5,}(-t[0-9]+)?\.parquet$`)                                                                                                // see PartName
	textsFile  = regexp.MustCompile(`^((language|date|package)=[0-9A-Za-z%._~-]+/)*part-[0-9]{5,}(-t[0-9]+)?-[0-9]{4,}(\.parquet|\.jsonl\.zst|\.warc\.gz|\.ndjson\.zst)$`) // see TextsName
	recordFile = regexp.MustCompile(`^part-[0-9]{5,}(?:-t[0-9]+)?-f[0-9]{5,}-i[0-9]{5,}(\..+)$`)                                                                           // the name of a part, and the item
	changeFile = regexp.MustCompile(`^[0-9]{8,}\.json$`)                                                                                                                   // see ChangeName
	selected   = regexp.MustCompile(`^[0-9a-f]{32}\.(bin|parquet)$`)                                                                                                       // see Selection and CapturesName
	pushed     = regexp.MustCompile(`^[0-9a-f]{16}\.json$`)                                                                                                                // see PushedName
	packed     = regexp.MustCompile(`^[0-9a-f]{16}(\.json|/.*\.warc\.gz)$`)                                                                                                // see package pack
	shardFile  = regexp.MustCompile(`^(learn-i[0-9]{5,}|(scan-)?f[0-9]{5,}-i[0-9]{5,}(-s[0-9]+)?)-[0-9A-Za-z]{1,32}-([a-z]+)(\..+)?$`)
	candidates = regexp.MustCompile(`^candidates-[0-9]{5,}-t[0-9]+\.parquet$`) // see CandidatesName
	probeFile  = regexp.MustCompile(`^probe-[0-9a-f]{12}$`)
)

// ChangeName returns the name of change seq of a manifest.
func ChangeName(seq int) string { return fmt.Sprintf("%s/%08d.json", CommitsFolder, seq) }

// ProbeName returns the name of a file that a worker of a run writes, and deletes, to learn
// whether it can write shards. id has 12 hexadecimal digits.
func ProbeName(hash, id string) string { return ShardFolder + "/" + hash + "/probe-" + id }

// IsChange reports whether a file is named like a change of a manifest.
func IsChange(name string) bool {
	file, ok := strings.CutPrefix(name, CommitsFolder+"/")
	return ok && changeFile.MatchString(file)
}

// IsPart reports whether a file is named like one of a part of a table.
func IsPart(table Table, name string) bool {
	file, ok := strings.CutPrefix(name, string(table)+"/")
	if table == TableTexts {
		return ok && textsFile.MatchString(file)
	}
	if table == TableRecords {
		m := recordFile.FindStringSubmatch(file)
		return ok && m != nil && isEnding(table, m[1])
	}
	return ok && partFile.MatchString(file)
}

// Writes reports whether the processes of the run give this name to a file in one of the
// folders of its output folder.
func (r *Run) Writes(name string) bool {
	folder, file, _ := strings.Cut(name, "/")
	switch folder {
	case CommitsFolder:
		return IsChange(name)
	case ShardFolder:
		return r.writesShard(name)
	case SelectionFolder:
		return selected.MatchString(file)
	case PushedFolder:
		return pushed.MatchString(file)
	case InputsFolder:
		return packed.MatchString(file)
	}
	return slices.Contains(PartTables, Table(folder)) && IsPart(Table(folder), name)
}

// writesShard is Writes for the folder of shards.
func (r *Run) writesShard(name string) bool {
	file, ok := strings.CutPrefix(name, ShardFolder+"/"+r.Hash+"/")
	if !ok || candidates.MatchString(file) || probeFile.MatchString(file) {
		return ok
	}
	m := shardFile.FindStringSubmatch(file)
	return m != nil && isEnding(Table(m[4]), m[5])
}
