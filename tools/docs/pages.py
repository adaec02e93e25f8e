# SPDX-License-Identifier: Apache-2.0
"""What the tools for the documentation read from a Markdown page: its fenced blocks, headings and links."""
import os
import re
import subprocess
from typing import NamedTuple

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))


class Block(NamedTuple):
    """A fenced block, with the HTML comment on the line before it."""
    language: str
    text: str
    marker: str
    line: int


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def blocks(text):
    lines, at, result = text.splitlines(), 0, []
    while at < len(lines):
        fence = re.match(r"```(\w*)", lines[at])
        if not fence:
            at += 1
            continue
        end = at + 1
        while end < len(lines) and lines[end] != "```":
            end += 1
        comment = re.match(r"<!-- (.*) -->$", lines[at - 1]) if at > 0 else None
        result.append(Block(fence[1], "".join(line + "\n" for line in lines[at + 1:end]), comment[1] if comment else "", at + 1))
        at = end + 1
    return result


def outside_code(text):
    """Pairs of line number and line, without fenced blocks and inline code."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield number, re.sub(r"`[^`]*`", lambda code: "`" + "x" * (len(code[0]) - 2) + "`", line)


def links(text):
    """Pairs of line number and target of each link."""
    for number, line in outside_code(text):
        for target in re.findall(r"\]\(([^()\s]+(?:\([^()\s]*\))?[^()\s]*)\)", line):
            yield number, target


def anchors(text):
    """The anchors of a page's headings, as GitHub and MkDocs name them where they agree."""
    found, inside = set(), False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        heading = None if inside else re.match(r"#{1,6} +(.*?)\s*#*$", line)
        if heading:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            name = re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", words))
            count = 1
            while (name if count == 1 else f"{name}-{count - 1}") in found:
                count += 1
            found.add(name if count == 1 else f"{name}-{count - 1}")
    return found


def all_pages(top):
    """Each Markdown page that git tracks, relative to top; without git, each page at the top and below docs."""
    if os.path.exists(os.path.join(top, ".git")):
        listed = subprocess.run(["git", "-C", top, "ls-files", "-co", "--exclude-standard", "*.md"], stdout=subprocess.PIPE, text=True,
                                check=False)
        if listed.returncode == 0:
            return sorted(page for page in listed.stdout.splitlines() if os.path.exists(os.path.join(top, page)))
    found = [name for name in os.listdir(top) if name.endswith(".md")]
    for folder, _, names in os.walk(os.path.join(top, "docs")):
        found += [os.path.relpath(os.path.join(folder, name), top) for name in names if name.endswith(".md")]
    return sorted(found)
