# SPDX-License-Identifier: Apache-2.0
# awk -v folder=DIR -f snippets.awk README.md: writes each code block that follows a line
# "<!-- NAME -->" to DIR/NAME, so that what the README shows is compiled and run.
/^<!-- [a-z_]+\.(c|cpp|cmake) -->$/ { name = $2; next }
/^```/ && name && !open { open = folder "/" name; printf "" > open; next }
/^```/ && open { close(open); open = name = ""; next }
open { print > open }
