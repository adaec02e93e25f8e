// SPDX-License-Identifier: Apache-2.0
// The loop is ours: it polls libuv's eventfd and calls libuv when it is readable. The file's own functions are static.
#include <async.c>

#include <poll.h>
#include <pthread.h>

static uv_loop_t loop;
static uv_async_t handle;
static _Atomic int message;
static int handled;

int uv__io_init_start(uv_loop_t* l, uv__io_t* w, uv__io_cb_t cb, int fd, unsigned int events) {
    w->fd = fd;
    return 0;
}

static void callback(uv_async_t* h) { handled = atomic_load_explicit(&message, memory_order_acquire); }

static void* sends(void* unused) {
    for (int i = 1; i <= 2; ++i) {
        atomic_store_explicit(&message, i, memory_order_release);
        uv_async_send(&handle);
    }
    return unused;
}

int main(void) {
    uv__queue_init(&loop.async_handles);
    uv__queue_init(&loop.handle_queue);
    loop.async_io_watcher.fd = -1;
    uv_async_init(&loop, &handle, callback);
    pthread_t sender;
    pthread_create(&sender, 0, sends, 0);
    while (handled < 2) {
        struct pollfd readable = {.fd = loop.async_io_watcher.fd, .events = POLLIN};
        poll(&readable, 1, -1);
        uv__async_io(&loop, &loop.async_io_watcher, POLLIN);
    }
    pthread_join(sender, 0);
}
