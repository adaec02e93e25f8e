#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/release and tools/sbom, on copies of this tree's last commit.
set -u
# shellcheck source=tools/test/lib.sh
. "$(dirname -- "$0")/../../tools/test/lib.sh"
needs() { command -v "$1" >/dev/null || { echo "skipped: no $1; apt-get install $2" && exit 77; }; }
in_copy() { git -c safe.directory="$copy" -C "$copy" -c user.name=test -c user.email=test@test.invalid "$@"; }
copied() { # a clone with what git has of this tree, and the scripts as they are now
    git -c safe.directory='*' -C "$top" rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "skipped: this is no clone" && exit 77; }
    copy=$here/copy
    # Not by cloning: git refuses to read a clone that belongs to somebody else.
    git -c safe.directory='*' -C "$top" checkout-index -a --prefix="$copy/" || fail "cannot copy the tree"
    git init -q "$copy"
    cp "$top/tools/release" "$top/tools/sbom" "$copy/tools/"
    in_copy add -A
    in_copy commit -q --allow-empty -m copied
    version=$(sed -n 's/^project(ringproof VERSION \([0-9.]*\).*/\1/p' "$copy/CMakeLists.txt")
}

case_check() { # a version that is not the same everywhere, or has no section, is no release
    copied
    runs 0 "$copy/tools/release" check --snapshot
    sed -i 's/^project(ringproof VERSION [0-9.]*/project(ringproof VERSION 77.0.0/' "$copy/CMakeLists.txt"
    in_copy commit -q -a -m raised
    runs 1 "$copy/tools/release" check
    says stderr "packaging/debian/changelog begins with $version, not 77.0.0"
    says stderr "vcpkg.json has $version, not 77.0.0"
    says stderr "CHANGELOG.md has no section '## [77.0.0] - YYYY-MM-DD'"
    sed -i "1s/($version)/(77.0.0)/" "$copy/packaging/debian/changelog"
    sed -i "s/\"version\": \"$version\"/\"version\": \"77.0.0\"/" "$copy/packaging/vcpkg/ringproof/vcpkg.json"
    sed -i 's/^## \[Unreleased\]$/## [77.0.0] - 2030-01-01/' "$copy/CHANGELOG.md"
    runs 1 "$copy/tools/release" check
    says stderr "changes that are not committed"
    in_copy commit -q -a -m ready
    runs 0 "$copy/tools/release" check
    in_copy tag v78.0.0 HEAD~1
    runs 1 "$copy/tools/release" check
    says stderr "v78.0.0 is tagged already"
    runs 2 "$copy/tools/release" check --no-such
    says stderr "--help lists them"
}
case_source() { # the source tarball of a commit has the same bytes each time, and knows its commit
    copied
    runs 0 "$copy/tools/release" source --output "$here/one"
    runs 0 "$copy/tools/release" source --output "$here/two"
    cmp "$here/one/ringproof-$version.tar.gz" "$here/two/ringproof-$version.tar.gz" || fail "two tarballs differ"
    mkdir "$here/unpacked"
    tar -C "$here/unpacked" -xzf "$here/one/ringproof-$version.tar.gz"
    cat >"$here/commit.cmake" <<'END'
set(PROJECT_SOURCE_DIR "${TREE}")
include("${TREE}/cmake/commit.cmake")
message("<${ringproof_commit}>")
END
    runs 0 cmake "-DTREE=$here/unpacked/ringproof-$version" -P "$here/commit.cmake"
    says stderr "<$(in_copy rev-parse HEAD | cut -c 1-12)>"
    runs 0 cmake "-DTREE=$copy" -P "$here/commit.cmake"
    says stderr "<$(in_copy rev-parse HEAD | cut -c 1-12)>"
    rm -rf -- "$copy/.git"
    runs 0 cmake "-DTREE=$copy" -P "$here/commit.cmake"
    says stderr "<unknown>"
}
case_reproducible() { # builds in two folders give the same bytes
    copied
    runs 0 "$copy/tools/release" compare --target ringproof_check_main --target ringproof-launcher
    grep -Eq '^[1-9][0-9]+ files, 0 differ$' "$here/stdout" || fail "not as many files as the core has"
}
case_sbom() { # the bill of materials names the packages that were compiled in, and those that are needed
    needs python3 python3
    needs dpkg-query dpkg
    copied
    runs 0 "$copy/tools/release" source --output "$here"
    [ -d "$BUILD/packages" ] || { echo "skipped: there are no packages; apt-get install dpkg-dev" && exit 77; }
    runs 0 "$copy/tools/sbom" --source "$here/ringproof-$version.tar.gz" --build "$BUILD" "$BUILD"/packages/*.deb
    cat >"$here/look.py" <<'END'
import json, sys
document = json.load(open(sys.argv[1]))
packages = {one["SPDXID"]: one["name"] for one in document["packages"]}
assert len(packages) == len(document["packages"]), "an identifier twice"
related = {"SPDXRef-DOCUMENT": "document", **packages}
for one in document["relationships"]:
    assert one["spdxElementId"] in related and one["relatedSpdxElement"] in related, one
def names(kind, of=None):
    return {related[one["spdxElementId" if kind == "BUILD_DEPENDENCY_OF" else "relatedSpdxElement"]]
            for one in document["relationships"] if one["relationshipType"] == kind and (of is None or related[one["spdxElementId"]] == of)}
for name in ("libcli11-dev", "nlohmann-json3-dev", "libtomlplusplus-dev", "libc6-dev"):
    assert name in names("BUILD_DEPENDENCY_OF"), name + " was compiled in"
for name in ("libdw1", "libc6", "ringproof-core-dev"):
    assert name in names("DEPENDS_ON", "ringproof-tools"), name + " is needed"
assert not names("DEPENDS_ON", "ringproof-core-dev"), "the core needs something"
assert any(name.startswith("@observablehq") for name in names("CONTAINS")), "the page's packages"
print(len(packages), "packages")
END
    cp "$here/stdout" "$here/sbom.json"
    runs 0 python3 "$here/look.py" "$here/sbom.json"
}

"$1"
