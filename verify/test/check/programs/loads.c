/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a library that keeps state; linked with it, or (LOADS) loaded in the execution, or (EARLY) before main(). */
#define _GNU_SOURCE /* RTLD_DEEPBIND */ // NOLINT(readability-identifier-naming): the library has named it
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BINDING
#define BINDING 0
#endif

atomic_int x;
int count(void);

#ifdef EARLY
__attribute__((constructor)) static void loads_before_main(void) {
    assert(dlopen(LOADS, RTLD_NOW | BINDING));
}
#endif

static void* writer(void* unused) {
    atomic_store(&x, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    (void)atomic_load(&x);
#ifdef LOADS
    void* const library = dlopen(LOADS, RTLD_NOW | BINDING);
    assert(library);
    int (*const counts)(void) = (int (*)(void))dlsym(library, "count");
    assert(counts() == 1);
    dlclose(library);
    assert(!dlopen("no_such_library.so", RTLD_NOW) && dlerror());
#ifdef LEFT_OUT
    assert(!dlopen(LEFT_OUT, RTLD_NOW) && dlerror());
#endif
#else
    assert(count() == 1);
#endif
    pthread_join(thread, NULL);
    return 0;
}
