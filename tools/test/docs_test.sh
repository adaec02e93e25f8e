#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2016 # the quoted texts are Markdown and scripts
# The tools for the documentation, on pages of a few lines.
set -u
. "$(dirname -- "$0")/lib.sh"
command -v python3 >/dev/null || { echo "skipped: no python3 here" && exit 77; }
build=$here/build
mkdir -p "$build/bin" "$here/docs"
printf '#!/bin/sh\necho "verified  rc11  $1  (3 executions, 12 steps, 4.5 ms)"\nexit "${2:-0}"\n' >"$build/bin/ringproof"
chmod +x "$build/bin/ringproof"
page=$here/docs/page.md
run_page() { runs "$1" "$top/tools/doc-commands" "$page" --build "$build"; }

case_commands() { # commands run in order in one folder, with their files, variables and exit codes
    cat >"$page" <<'END'
<!-- file: a/one.txt -->
```text
first
```

```sh
cd a
name=one && export name
test "$(cat $name.txt)" = first     # a remark
ringproof x 4                       # exit code 4
for i in 1 2
do echo $i
done >two.txt; grep -c . two.txt
```
END
    run_page 0
    says stdout "5 commands run, 0 not run"
}
case_wrong_code() { # a command with another exit code than the page says is an error
    printf '```sh\nringproof x 4   # exit code 1\n```\n' >"$page"
    run_page 1
    says stderr "ended with 4, not 1"
}
case_output() { # output that a page shows is compared; times and what stands for anything may differ
    printf '```console\n$ ringproof x\nverified   rc11  x  (3 executions, …, 9 ms)\n```\n' >"$page"
    run_page 0
    printf '```console\n$ ringproof x\nverified   rc11  x  (4 executions, …)\n```\n' >"$page"
    run_page 1
    says stderr "does not print"
}
case_not_run() { # a block that is not run has a reason, and is counted
    printf '<!-- not run: needs root -->\n```sh\nfalse\nfalse\n```\n' >"$page"
    run_page 0
    says stdout "0 commands run, 2 not run"
    printf '<!-- needs: no-such-tool -->\n```sh\ntrue\n```\n' >"$page"
    run_page 77
    says stdout "needs no-such-tool: skipped"
}
case_outside() { # a page cannot write a file outside of its folder
    printf '<!-- file: ../x.txt -->\n```text\nx\n```\n' >"$page"
    run_page 1
    says stderr "is outside the folder"
    printf '<!-- file: ringproof/x.txt -->\n```text\nx\n```\n' >"$page"
    run_page 1
}
case_links() { # a link to no file or no heading is an error, and so is a page that the index does not reach
    printf '# Index\n[a](page.md#two-words) [b](https://example.org/none)\n' >"$here/docs/index.md"
    printf '# Two words\n`[no](link.md)` [up](../docs/index.md#index)\n' >"$page"
    runs 0 "$top/tools/doc-links" "$here"
    ends "2 pages, 0 links that lead nowhere"
    printf '# Two words\n[a](gone.md) [b](#gone)\n' >"$page"
    printf '# Lost\n' >"$here/docs/lost.md"
    runs 1 "$top/tools/doc-links" "$here"
    says stdout "docs/page.md:2: no file 'gone.md'"
    says stdout "docs/page.md:2: no heading '#gone' in docs/page.md"
    says stdout "docs/lost.md: no link from docs/index.md leads here"
}

"$1"
