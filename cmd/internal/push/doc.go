// Package push sends the texts of a finished run to a search engine that speaks the bulk
// protocol of Elasticsearch and OpenSearch.
//
//	state, err := push.Run(ctx, store, manifest, push.Options{URL: "http://localhost:9200", Form: form})
//
// Actions are sent in one order, that of the run's files, in batches of bounded size, and
// the next batch is sent when the one before is answered. How many are answered is kept in
// the output folder (schemas.PushedName), so that a push that was ended goes on there. A
// batch whose answer was lost is sent again. An action names the id of its document, so
// this leaves each document in the index once.
package push
