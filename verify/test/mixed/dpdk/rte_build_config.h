/* SPDX-License-Identifier: Apache-2.0 */
/* What DPDK's build would write, as far as its rings ask for it. */
#pragma once
#define RTE_ARCH_64 1
#define RTE_ARCH_X86 1
#define RTE_ARCH_X86_64 1
#define RTE_CACHE_LINE_SIZE 64
#define RTE_EXEC_ENV_IS_FREEBSD 0
#define RTE_EXEC_ENV_IS_LINUX 1
#define RTE_EXEC_ENV_IS_WINDOWS 0
#define RTE_EXEC_ENV_LINUX 1
#define RTE_MAX_LCORE 8
#define RTE_MAX_NUMA_NODES 1
