package columnar

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/winnow/winnow/schemas"
)

// maxBulkID is the longest id in bytes that Elasticsearch and OpenSearch accept.
const maxBulkID = 512

// BulkAction returns the line of the bulk form that applies an action, "index" or "delete",
// to what an extractor found on a page. A page without a URL has the id of its text, and
// one whose URL is too long for an id has a hash of the URL.
func BulkAction(action string, b *schemas.Bulk, pageID uint64, extractor, url string) []byte {
	id := textID(pageID, extractor)
	if b.ID == schemas.IDURL && url != "" {
		id = url
	}
	if len(id) > maxBulkID {
		sum := sha256.Sum256([]byte(id))
		id = "sha256:" + hex.EncodeToString(sum[:])
	}
	type target struct {
		Index string `json:"_index"`
		ID    string `json:"_id"`
	}
	line, err := json.Marshal(map[string]target{action: {b.Index, id}})
	if err != nil {
		panic("columnar: bulk action: " + err.Error()) // impossible: it holds texts only
	}
	return append(line, '\n')
}
