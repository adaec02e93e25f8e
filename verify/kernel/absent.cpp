// SPDX-License-Identifier: Apache-2.0
// In place of the scenarios where the kernel's source was not there when ringproof was configured.
#include <cstdio>

int main() {
    std::fputs("ringproof-kernel: skipped: no source of Linux. Say\n"
               "  apt-get install --no-install-recommends linux-source-6.1\n"
               "or configure with -DRINGPROOF_LINUX_ROOT=DIR, a tree of Linux 6.1, and build again "
               "(docs/kernel.md)\n",
               stderr);
    return 77;
}
