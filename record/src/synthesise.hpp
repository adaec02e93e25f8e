// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <sys/types.h>

#include "data_file.hpp"

namespace ringproof::record_command {

/// Writes what the kernel told before anybody listened: the name of each thread of a process (COMM) and what it has
/// mapped and may execute (MMAP2), read from /proc. A process that ends meanwhile is left out.
void synthesise_process(data_file& file, pid_t process);

/// The same for the kernel (MMAP), where /proc/kallsyms shows where it is: then perf finds its symbols there.
void synthesise_kernel(data_file& file);

/// The same for all processes there are.
void synthesise_all(data_file& file);

} // namespace ringproof::record_command
