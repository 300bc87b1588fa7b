#!/usr/bin/env bash
# Makes the image of deploy/Containerfile from the working copy:
#
#   deploy/image.sh winnow.tar     an OCI archive, with buildah (Debian's package) as root, for
#                                  this machine's architecture or that of GOARCH
#   deploy/image.sh --tree DIR     only the files of the image, for the Containerfile
#
# "skopeo copy oci-archive:winnow.tar docker://REGISTRY/winnow:TAG" pushes the archive.
set -Eeuo pipefail
cd "$(dirname "$0")/.."

# tree writes the files of the image.
tree() {
  mkdir -p "$1/usr/local/bin" "$1/etc/ssl/certs" "$1/tmp"
  CGO_ENABLED=0 go build -trimpath -ldflags=-s -o "$1/usr/local/bin/" ./cmd/winnow
  GOARCH=$(go env GOHOSTARCH) go run ./deploy/licenses -o "$1/licenses" ./cmd/winnow
  cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
  chmod 1777 "$1/tmp"
}

if [[ ${1:-} == --tree && $# == 2 ]]; then
  tree "$2"
  exit
fi
[[ $# == 1 && $1 != -* ]] || { echo "usage: deploy/image.sh FILE.tar | --tree DIR" >&2; exit 2; }

work=$(mktemp -d)
readonly work
buildah=(buildah --root "$work/root" --runroot "$work/run" --storage-driver vfs)
cleanup() {
  "${buildah[@]}" rm --all >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap cleanup EXIT
tree "$work/tree"
container=$("${buildah[@]}" from scratch)
"${buildah[@]}" copy --quiet "$container" "$work/tree" / >/dev/null
"${buildah[@]}" config --arch "$(go env GOARCH)" --user 65532:65532 --entrypoint '["/usr/local/bin/winnow"]' "$container"
"${buildah[@]}" commit --quiet --disable-compression=false "$container" "oci-archive:$1:winnow:devel" >/dev/null
