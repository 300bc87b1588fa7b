package search

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2"
)

// engine is an index on disk that answers the requests of Elasticsearch that the guide makes:
// PUT of an index, bulk requests and queries. The index is that of bleve. Elasticsearch
// itself cannot be built here; the protocol is as its documentation has it.
type engine struct {
	mu     sync.Mutex
	folder string
	index  map[string]bleve.Index
	writes map[string]int // by id
	// bulk is called for each bulk request, unless it is nil.
	bulk func()
}

func (e *engine) open(name string) (bleve.Index, error) {
	if index := e.index[name]; index != nil {
		return index, nil
	}
	index, err := bleve.New(e.folder+"/"+name, bleve.NewIndexMapping())
	if err == nil {
		e.index[name] = index
	}
	return index, err
}

func (e *engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	answer, err := e.answer(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (e *engine) answer(r *http.Request) (any, error) {
	name, action, _ := strings.Cut(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case name == "_bulk" && r.Method == http.MethodPost:
		if e.bulk != nil {
			e.bulk()
		}
		return e.change(r)
	case action == "_search":
		index, err := e.open(name)
		if err != nil {
			return nil, err
		}
		request := bleve.NewSearchRequest(bleve.NewQueryStringQuery(r.URL.Query().Get("q")))
		request.Size, request.Fields = 1000, []string{"url", "title"}
		found, err := index.Search(request)
		if err != nil {
			return nil, err
		}
		hits := []map[string]any{}
		for _, hit := range found.Hits {
			hits = append(hits, map[string]any{"_index": name, "_id": hit.ID, "_score": hit.Score, "_source": hit.Fields})
		}
		return map[string]any{"hits": map[string]any{"total": map[string]any{"value": found.Total, "relation": "eq"}, "hits": hits}}, nil
	case action == "" && r.Method == http.MethodPut:
		var mapping struct {
			Mappings struct {
				Properties map[string]struct{ Type string }
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&mapping); err != nil || mapping.Mappings.Properties["text"].Type != "text" {
			return nil, fmt.Errorf("mapping %v, %w", mapping, err)
		}
		_, err := e.open(name)
		return map[string]any{"acknowledged": true, "index": name}, err
	}
	return nil, fmt.Errorf("no request %s %s", r.Method, r.URL.Path)
}

// change carries out a bulk request: each action by itself and in order.
func (e *engine) change(r *http.Request) (any, error) {
	items := []map[string]any{}
	in := json.NewDecoder(r.Body)
	for in.More() {
		var named map[string]struct {
			Index string `json:"_index"`
			ID    string `json:"_id"`
		}
		if err := in.Decode(&named); err != nil {
			return nil, err
		}
		for action, to := range named {
			index, err := e.open(to.Index)
			if err != nil {
				return nil, err
			}
			status := http.StatusOK
			switch action {
			case "index":
				var document map[string]any
				if err := in.Decode(&document); err != nil {
					return nil, err
				}
				err = index.Index(to.ID, document)
				e.writes[to.ID]++
			case "delete":
				if old, _ := index.Document(to.ID); old == nil {
					status = http.StatusNotFound
				}
				err = index.Delete(to.ID)
			default:
				return nil, fmt.Errorf("no action %q", action)
			}
			if err != nil {
				return nil, err
			}
			items = append(items, map[string]any{action: map[string]any{"_index": to.Index, "_id": to.ID, "status": status}})
		}
	}
	return map[string]any{"took": 1, "errors": false, "items": items}, nil
}
