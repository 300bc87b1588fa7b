#!/usr/bin/env bash
# Makes the archives of a release from the working copy:
#
#   deploy/release.sh v0.1.0 DIR     winnow_v0.1.0_OS_ARCH.tar.gz (Windows: .zip), with a software
#                                    bill of materials (CycloneDX) and for Linux a .deb of each;
#                                    winnow.rb, a Homebrew formula of the archives; checksums.txt
#
# The programs are static and stripped. The files are the same bytes whenever and wherever they
# are made from one commit with one Go release: names are sorted, and all times are the commit's,
# or SOURCE_DATE_EPOCH. TARGETS chooses some of the platforms.
set -Eeuo pipefail
cd "$(dirname "$0")/.."
[[ $# == 2 && $1 =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || { echo "usage: deploy/release.sh vMAJOR.MINOR.PATCH DIR" >&2; exit 2; }
readonly version=$1
readonly nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0
readonly cyclonedx=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0
mkdir -p "$2"
out=$(cd "$2" && pwd)
work=$(mktemp -d)
readonly out work
trap 'rm -rf "$work"' EXIT
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
readonly seconds=$SOURCE_DATE_EPOCH

# package_deb ARCH PROGRAM FILE writes a Debian package.
package_deb() {
  cat >"$work/nfpm.yaml" <<YAML
name: winnow
arch: $1
version: $version
section: text
maintainer: Winnow maintainers <maintainers@winnow.example>
description: Main-content extraction over web crawls
homepage: https://github.com/winnow/winnow
license: Apache-2.0
mtime: $(date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%SZ)
contents:
  - {src: "$2", dst: /usr/bin/winnow, file_info: {mode: 0755}}
  - {src: LICENSE, dst: /usr/share/doc/winnow/copyright, file_info: {mode: 0644}}
YAML
  go run "$nfpm" package --packager deb --config "$work/nfpm.yaml" --target "$3" >/dev/null
}

# formula writes the Homebrew formula of the archives.
formula() {
  local base=https://github.com/winnow/winnow/releases/download/$version system arch file
  echo 'class Winnow < Formula
  desc "Main-content extraction over web crawls"
  homepage "https://github.com/winnow/winnow"
  version "'"${version#v}"'"
  license "Apache-2.0"'
  for system in darwin linux; do
    for arch in amd64 arm64; do
      file=winnow_${version}_${system}_${arch}.tar.gz
      [[ -e $out/$file ]] || continue
      echo "
  if OS.$([[ $system == darwin ]] && echo mac? || echo linux?) && Hardware::CPU.$([[ $arch == arm64 ]] && echo arm? || echo intel?)
    url \"$base/$file\"
    sha256 \"$(sha256sum <"$out/$file" | cut -d' ' -f1)\"
  end"
    done
  done
  echo '
  def install
    bin.install "winnow"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/winnow version")
  end
end'
}

files=()
for target in ${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}; do
  system=${target%/*} arch=${target#*/}
  name=winnow_${version}_${system}_${arch}
  program=winnow
  [[ $system != windows ]] || program=winnow.exe
  mkdir "$work/$name"
  CGO_ENABLED=0 GOOS=$system GOARCH=$arch go build -trimpath -buildvcs=false \
    -ldflags "-s -w -X github.com/winnow/winnow/pipeline/service.release=$version -X github.com/winnow/winnow/pipeline/service.commit=$(git describe --always --abbrev=12 --exclude '*' --dirty=+changes)" -o "$work/$name/$program" ./cmd/winnow
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
  go run "$cyclonedx" bin -json -noserial -version "$version" -output "$out/$name.cdx.json" "$work/$name/$program" 2>/dev/null
  sed -i "s/\"timestamp\": \"[^\"]*\"/\"timestamp\": \"$(date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%SZ)\"/" "$out/$name.cdx.json"
  files+=("$archive" "$name.cdx.json")
  [[ $system != linux ]] || { package_deb "$arch" "$work/$name/$program" "$out/$name.deb"; files+=("$name.deb"); }
done
formula >"$out/winnow.rb"
(cd "$out" && sha256sum "${files[@]}" winnow.rb | tee checksums.txt)
