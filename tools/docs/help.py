# SPDX-License-Identifier: Apache-2.0
"""Reads the help text of a command, as CLI11 prints it, into a table of its options."""
import re
from typing import NamedTuple


class Option(NamedTuple):
    """One line of the table: the names with their argument, what it accepts, and what it does."""
    names: str
    notes: list
    text: str


class Help(NamedTuple):
    """A help text, taken apart."""
    what: str
    usage: str
    groups: list  # of (title, [Option])
    end: str


def option(head, text):
    """`-j,--jobs N:INT in [1 - 256] Excludes: --list` and its description."""
    notes = []
    for word, says in (("Excludes", "not with"), ("Needs", "needs")):
        found = re.search(rf" {word}: ([^:]*?)(?= (?:Excludes|Needs):|$)", head)
        if found:
            notes.append(f"{says} {', '.join(f'`{name}`' for name in found[1].split())}")
            head = head.replace(found[0], "")
    if head.endswith(" REQUIRED"):
        head = head[:-9]
        notes.append("required")
    names, _, argument = head.partition(" ")
    names = re.sub(r"\{[^}]*\}$", "", names)
    optional = argument.startswith(":") or argument.startswith("[")
    default = re.search(r"=([^=\s]+)$", argument)
    if default:
        argument = argument[:default.start()]
        if default[1] not in ("-",):
            notes.append(f"default: `{default[1]}`")
    shown, _, accepts = argument.partition(":")
    several = shown.endswith(" ...")
    shown = shown[:-4] if several else shown
    choices = re.search(r"\{([^}]*)\}", accepts)
    values = [value.split("->")[0] for value in choices[1].split(",")] if choices else []
    if optional and values:
        shown = "[=" + "|".join(values) + "]"
    elif values and set(values) != set(shown.split("|")):
        notes.insert(0, " or ".join(f"`{value}`" for value in values))
    bounds = re.search(r"in \[(.*?) - (.*?)\]", accepts)
    if bounds:
        notes.insert(0, f"{bounds[1]} to {bounds[2]}")
    if several:
        notes.append("repeatable")
    argument = shown if shown.startswith("[=") else f" {shown}" if shown else ""
    words = names.split(",")
    return Option(", ".join(f"`{word}{argument if word == words[-1] else ''}`" for word in words), notes, text)


def parse(text):
    lines = text.rstrip("\n").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("Usage: "))
    what, usage, groups, end = " ".join(lines[:at]).strip(), lines[at][7:], [], []
    head, said = None, []
    # The column of the descriptions. A head that is longer than that stands on a line of its own.
    column = next((len(line) - len(re.sub(r"^  -h,--help +", "", line)) for line in lines if line.startswith("  -h,--help ")), 30)

    def close():
        if head is not None:
            groups[-1][1].append(option(head, "<br>".join(said)))

    for line, following in zip(lines[at + 1:], [*lines[at + 2:], ""]):
        begins = bool(groups) and not end and line.startswith("  ") and line[2:3] not in ("", " ")
        if re.match(r"(Positionals|Options):$", line) and not end:
            close()
            head = None
            groups.append((line[:-1], []))
        elif begins:
            close()
            divided = line[column - 1:column] == " " and line[column:column + 1] not in ("", " ") and (
                line[column - 2] == " " or not following.startswith(" " * column))
            head, said = (line[2:column].strip(), [line[column:].strip()]) if divided else (line.strip(), [])
        elif line.startswith("   ") and head is not None and not end:
            said.append(line.strip())
        elif line.strip() or end:
            if not end:
                close()
                head = None
            end.append(line)
    if not end:
        close()
    return Help(what, usage, groups, "\n".join(end).strip())
