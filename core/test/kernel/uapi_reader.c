/* SPDX-License-Identifier: Apache-2.0 */
#include "uapi_reader.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int uapi_open(struct uapi_reader* reader, int descriptor, size_t data_pages) {
    memset(reader, 0, sizeof *reader);
    reader->length = (data_pages + 1) * (size_t)sysconf(_SC_PAGESIZE);
    reader->page = mmap(NULL, reader->length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return reader->page == MAP_FAILED ? -1 : 0;
}

int uapi_open_aux(struct uapi_reader* reader, int descriptor, size_t offset, size_t length,
                  size_t file_offset) {
    struct perf_event_mmap_page* page = reader->page;
    page->aux_offset = offset;
    page->aux_size = length;
    void* base = mmap(NULL, length, PROT_READ, MAP_SHARED, descriptor, (off_t)file_offset);
    if (base == MAP_FAILED) return -1;
    reader->aux = base;
    reader->aux_length = length;
    return 0;
}

void uapi_close(struct uapi_reader* reader) {
    if (reader->aux != NULL) munmap((void*)reader->aux, reader->aux_length);
    munmap(reader->page, reader->length);
}

static void copy_out(void* to, const unsigned char* data, uint64_t size, uint64_t at, size_t length) {
    const size_t begin = (size_t)(at & (size - 1));
    const size_t front = length < size - begin ? length : (size_t)(size - begin);
    memcpy(to, data + begin, front);
    memcpy((unsigned char*)to + front, data, length - front);
}

size_t uapi_drain(struct uapi_reader* reader, uapi_use use, void* context) {
    static _Thread_local unsigned char record[1 << 16];
    struct perf_event_mmap_page* page = reader->page;
    const unsigned char* data = (const unsigned char*)reader->page + page->data_offset;
    const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = page->data_tail; /* ours alone to write */
    size_t count = 0;
    while (tail != head) {
        struct perf_event_header header;
        copy_out(&header, data, page->data_size, tail, sizeof header);
        if (header.size < sizeof header || header.size % 8 != 0 || header.size > head - tail) {
            reader->wrong = 1;
            break;
        }
        copy_out(record, data, page->data_size, tail, header.size);
        use(context, header.type, header.misc, record + sizeof header, header.size - sizeof header);
        tail += header.size;
        ++count;
    }
    __atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
    return count;
}

size_t uapi_drain_aux(struct uapi_reader* reader, uapi_use_aux use, void* context) {
    struct perf_event_mmap_page* page = reader->page;
    const uint64_t head = __atomic_load_n(&page->aux_head, __ATOMIC_ACQUIRE);
    const uint64_t tail = page->aux_tail;
    const uint64_t size = head - tail;
    if (size > page->aux_size) {
        reader->wrong = 1;
        return 0;
    }
    const size_t begin = (size_t)(tail & (page->aux_size - 1));
    const size_t front = size < page->aux_size - begin ? (size_t)size : (size_t)(page->aux_size - begin);
    if (front != 0) use(context, tail, (const unsigned char*)reader->aux + begin, front);
    if (size > front) use(context, tail + front, reader->aux, (size_t)size - front);
    __atomic_store_n(&page->aux_tail, head, __ATOMIC_RELEASE);
    return (size_t)size;
}
