# The same checks as .ci/run, by name. `make` lists them.

.PHONY: help quick check test eval lint race fuzz data clouds faults nightly example release

help:
	@echo "make quick    formatting, vet, and the tests of what differs from main and of its importers"
	@echo "make check    all that must hold before a change is taken (.ci/run)"
	@echo "make test     the tests"
	@echo "make eval     trainers, measurements and trials: vetted, their quick tests"
	@echo "make lint     gofmt, vet, staticcheck, actionlint"
	@echo "make race     packages that start goroutines, under the race detector"
	@echo "make fuzz     the readers of foreign bytes are fuzzed, under a minute in all"
	@echo "make data     the pipeline on the example crawl and on real data"
	@echo "make clouds   buckets of Google's and Azure's protocol, on servers that it installs"
	@echo "make faults   30 runs while processes are killed, connections cut, disks full"
	@echo "make nightly  long fuzzing, all fault trials, benchmarks, clouds, the image, quality, a real node"
	@echo "make release VERSION=v0.1.0  archives for all platforms, with checksums, in release/"
	@echo "make example  regenerate examples/ from its texts and layouts"

check:
	.ci/run

quick test eval race fuzz data clouds faults nightly:
	.ci/run $@

lint:
	.ci/run format vet lint

example:
	go run ./examples/generate

release:
	deploy/release.sh "$(VERSION)" release
