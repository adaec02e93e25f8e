#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Types into an interactive shell, as a person does, and prints what a command there has been called with.

usage: typed.py SETUP KEYS -- SHELL [ARGUMENT...]

SETUP is a line for the shell. KEYS may hold \\t, the tab key. Behind them comes Enter, so KEYS are a command line; the
command `ringproof` is a function that prints its words, each in "<>": the last line of output.
"""

import os
import pty
import select
import sys
import time

PATIENCE = 20  # seconds until a shell that says nothing is given up


def read_until(fd, text, patience):
    """What the shell says until `text` is in it."""
    seen, end = b"", time.monotonic() + patience
    while text not in seen and time.monotonic() < end:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                seen += os.read(fd, 65536)
            except OSError:
                break
    return seen


def settle(fd):
    """What the shell says until it has said nothing for a while: completion has no end of its own."""
    seen = b""
    while select.select([fd], [], [], 0.4)[0]:
        try:
            seen += os.read(fd, 65536)
        except OSError:
            break
    return seen


def main(words):
    split = words.index("--")
    setup, keys = words[:split]
    child, fd = pty.fork()
    if child == 0:
        os.environ.update(TERM="dumb", PS1="$ ", HISTFILE="/dev/null", INPUTRC="/dev/null")
        os.execvp(words[split + 1], words[split + 1:])
    function = "ringproof() { printf 'GO''T'; printf '<%s>' \"$@\"; printf 'EN''D\\n'; }; "
    os.write(fd, (function + setup + "; echo REA''DY\n").encode())
    read_until(fd, b"READY", PATIENCE)
    settle(fd)
    for number, part in enumerate(keys.split("\\t")):
        if number > 0:
            os.write(fd, b"\t")
            settle(fd)
        os.write(fd, part.encode())
    os.write(fd, b"\n")
    seen = read_until(fd, b"END", PATIENCE).decode(errors="replace")
    os.write(fd, b"exit\n")
    os.close(fd)
    begin, end = seen.rfind("GOT"), seen.rfind("END")
    print(seen[begin + 3:end] if 0 <= begin < end else "nothing; the shell said: " + seen)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
