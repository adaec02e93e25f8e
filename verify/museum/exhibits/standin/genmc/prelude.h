// SPDX-License-Identifier: Apache-2.0
// Comes before an exhibit that GenMC reads. GenMC 0.10 has headers of its own for threads, files and allocation, and no other
// functions of the C library. This adds what glibc's and the kernel's headers need beside them, and copies of bytes whose number
// is not a constant, as loops.
#pragma once
#pragma weak errno // its headers define these in each file
#pragma weak __genmc_dir_inode
#pragma weak __genmc_dummy_file
#pragma weak stdin
#pragma weak stdout
#pragma weak stderr
#define __have_pthread_attr_t 1 // the types of threads are GenMC's
#define _BITS_PTHREADTYPES_COMMON_H 1
typedef int pid_t;
typedef int clockid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef long int time_t;
typedef long int loff_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
typedef union {
    char bytes[56];
} pthread_cond_t, pthread_rwlock_t;

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

// GenMC's calls on files are macros, and members of structs have these names, too.
#undef close
#undef read
#undef write

#define static_assert _Static_assert
#ifndef AT_FDCWD
#define AT_FDCWD (-100)
#endif
#ifndef F_DUPFD_CLOEXEC
#define F_DUPFD_CLOEXEC 1030
#endif

static inline void* copied_by_loop(void* to, const void* from, size_t size) {
    for (size_t i = 0; i < size; ++i) ((char*)to)[i] = ((const char*)from)[i];
    return to;
}
static inline void* set_by_loop(void* to, int byte, size_t size) {
    for (size_t i = 0; i < size; ++i) ((char*)to)[i] = (char)byte;
    return to;
}
#define memcpy copied_by_loop
#define memset set_by_loop
