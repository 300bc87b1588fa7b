// Package k8s holds the manifests that run Winnow on Kubernetes, as one
// kustomize base with a file for each workload and overlays, and the tests
// that check them: every object is decoded strictly into the API's own
// types, and every flag and variable is one that the programs have.
//
//	base                 ingest (Job), worker (Deployment), aggregate (StatefulSet)
//	overlays/local       one node: a single NATS server, files on a shared volume
//	overlays/cluster     NATS from its chart, archives and tables in a bucket
//	overlays/autoscaled  overlays/cluster with all components
//	overlays/nightly     overlays/cluster with a CronJob in place of the Job
//	components           KEDA, Prometheus Operator, users at the broker
//
// The handbook is deploy/README.md.
//
// This package is internal to Winnow and may change in any release.
package k8s
