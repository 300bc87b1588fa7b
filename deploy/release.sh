#!/usr/bin/env bash
# Makes the archives of a release from the working copy:
#
#   deploy/release.sh v0.1.0 DIR     winnow_v0.1.0_OS_ARCH.tar.gz (Windows: .zip), checksums.txt
#
# The programs are static and stripped. The archives are the same bytes whenever and wherever
# they are made from one commit with one Go release: names are sorted, and all times are the
# commit's. TARGETS chooses some of the platforms.
set -Eeuo pipefail
cd "$(dirname "$0")/.."
[[ $# == 2 && $1 =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || { echo "usage: deploy/release.sh vMAJOR.MINOR.PATCH DIR" >&2; exit 2; }
readonly version=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
work=$(mktemp -d)
readonly out work
trap 'rm -rf "$work"' EXIT
seconds=$(git log -1 --format=%ct)
readonly seconds

archives=()
for target in ${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}; do
  system=${target%/*} arch=${target#*/}
  name=winnow_${version}_${system}_${arch}
  program=winnow
  [[ $system != windows ]] || program=winnow.exe
  mkdir "$work/$name"
  CGO_ENABLED=0 GOOS=$system GOARCH=$arch go build -trimpath -buildvcs=true \
    -ldflags "-s -w -X github.com/winnow/winnow/pipeline/service.release=$version" -o "$work/$name/$program" ./cmd/winnow
  cp LICENSE README.md CHANGELOG.md "$work/$name/"
  find "$work/$name" -exec touch -h -d "@$seconds" {} +
  if [[ $system == windows ]]; then
    archive=$name.zip
    rm -f "$out/$archive"
    (cd "$work" && find "$name" | LC_ALL=C sort | TZ=UTC zip -q -X "$out/$archive" -@)
  else
    archive=$name.tar.gz
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$seconds" -cf - "$name" | gzip -9n >"$out/$archive"
  fi
  archives+=("$archive")
done
(cd "$out" && sha256sum "${archives[@]}" | tee checksums.txt)
