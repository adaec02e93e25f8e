// SPDX-License-Identifier: Apache-2.0
// The kernel's own ring: a software event writes a COMM record whenever the producer changes its thread's name, and the
// consumer reads the mapped ring with our reader. Ours does the same work, the same system call included, and writes
// the record itself. What the call costs without any record is the limit.
#include "ringproof_adapters.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <linux/perf_event.h>
#include <ringproof/layout/perf_abi.hpp>
#include <ringproof/mapped_memory.hpp>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringproof::bench {
namespace {

using kernel_reader = ringproof::record_ring<ringproof::single, ringproof::acquire_release, ringproof::refuse,
                                             ringproof::perf_abi>;
using comm_name = std::array<char, 16>;
constexpr std::size_t ring_bytes = 1 << 20;

comm_name name_of(std::uint64_t n) {
    comm_name name{};
    name.fill('0');
    name[15] = '\0';
    for (std::size_t i = 15; i-- > 0 && n != 0; n /= 16) name[i] = "0123456789abcdef"[n % 16];
    return name;
}
void call(const comm_name& name) { ::prctl(PR_SET_NAME, name.data()); }

/// The event of the thread that makes it.
class kernel_event {
  public:
    kernel_event() {
        perf_event_attr attr{};
        attr.size = sizeof attr;
        attr.type = PERF_TYPE_SOFTWARE;
        attr.config = PERF_COUNT_SW_DUMMY;
        attr.comm = 1;
        attr.exclude_kernel = 1;
        attr.watermark = 1;
        attr.wakeup_watermark = ring_bytes / 2;
        descriptor_ =
            static_cast<int>(::syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
        if (descriptor_ < 0) {
            refuse("perf_event_open");
            return;
        }
        length_ = mapped_memory::page_size() + ring_bytes;
        page_ = ::mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
        if (page_ == MAP_FAILED) refuse("mmap of the event's ring");
    }
    kernel_event(const kernel_event&) = delete;
    kernel_event& operator=(const kernel_event&) = delete;
    ~kernel_event() {
        if (page_ != MAP_FAILED) ::munmap(page_, length_);
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    const std::string& refused() const { return refused_; }
    ring_memory memory() const { return mapped_memory::foreign(page_, length_); }

  private:
    void refuse(const char* what) { refused_ = std::string(what) + ": " + std::strerror(errno); }
    int descriptor_ = -1;
    void* page_ = MAP_FAILED;
    std::size_t length_ = 0;
    std::string refused_;
};

/// What the consumer knows of the numbers in the names: they rise, and the gaps are what was told as lost.
struct names_seen {
    std::uint64_t received = 0, lost = 0, next = 0;
    bool wrong = false;

    void operator()(const ringproof::record& r) {
        if (r.type() == ringproof::record_type::lost) {
            if (const auto l = r.as<ringproof::lost_record>()) lost += l->count;
            return;
        }
        constexpr std::size_t before_name = 8; // process and thread
        std::array<char, before_name + sizeof(comm_name)> bytes{};
        if (r.type() != PERF_RECORD_COMM || r.size() < bytes.size()) return;
        r.copy_to(std::as_writable_bytes(std::span(bytes)));
        std::uint64_t n = 0;
        std::from_chars(bytes.data() + before_name, bytes.data() + before_name + 15, n, 16);
        wrong = wrong || n < next;
        next = n + 1;
        ++received;
    }
};

template <class Ring>
void consume_names(worker& w, Ring& ring, names_seen& seen, const std::atomic<std::uint64_t>& sent) {
    while (w.keep_going(seen.received)) {
        if (ring.consume(seen) > 0)
            w.progressed();
        else if (!w.wait())
            return;
    }
    // The last ones; those that the kernel dropped after its last LOST record stay unknown.
    while (sent.load(std::memory_order_acquire) == ~std::uint64_t{0})
        if (!w.wait()) return;
    while (ring.consume(seen) > 0) {
    }
    if (seen.wrong || seen.received + seen.lost > sent.load())
        w.fail("out of order: a name arrived twice or late");
}

run_result run_kernel(const placement& where, const run_settings& settings) {
    std::unique_ptr<kernel_event> event;
    names_seen seen;
    std::atomic<std::uint64_t> sent{~std::uint64_t{0}};
    std::atomic<int> open{0};
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer,
         {},
         [&](worker& w) {
             while (open.load(std::memory_order_acquire) == 0)
                 if (!w.wait()) return;
             if (open.load() < 0) return;
             kernel_reader ring(event->memory());
             consume_names(w, ring, seen, sent);
         }},
        {where.producers[0],
         [&] {
             event = std::make_unique<kernel_event>();
             open.store(event->refused().empty() ? 1 : -1, std::memory_order_release);
         },
         [&](worker& w) {
             std::uint64_t n = 0;
             if (open.load() > 0)
                 while (w.keep_going(n))
                     for (int k = 0; k < w.stride(); ++k, ++n) call(name_of(n));
             sent.store(n, std::memory_order_release);
         }},
    });
    run_result result;
    if (event && !event->refused().empty()) {
        result.skipped = event->refused() + " (`ringproof doctor` tells how to permit it)";
        return result;
    }
    result = detail::collect(c, windows, 0);
    result.more = {{"lost_records", static_cast<double>(seen.lost)}};
    return result;
}

run_result run_ours(const placement& where, const run_settings& settings) {
    struct comm_record {
        std::uint32_t process, thread;
        comm_name name;
    };
    ringproof::record_ring<> ring(ring_bytes);
    names_seen seen;
    std::atomic<std::uint64_t> sent{~std::uint64_t{0}};
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer, {}, [&](worker& w) { consume_names(w, ring, seen, sent); }},
        {where.producers[0],
         {},
         [&](worker& w) {
             std::uint64_t n = 0;
             while (w.keep_going(n))
                 for (int k = 0; k < w.stride(); ++k, ++n) {
                     const comm_record r{1, 1, name_of(n)};
                     call(r.name);
                     ring.write(std::as_bytes(std::span(&r, 1)), {PERF_RECORD_COMM, 0});
                 }
             sent.store(n, std::memory_order_release);
         }},
    });
    run_result result = detail::collect(c, windows, 0);
    result.more = {{"lost_records", static_cast<double>(ring.lost())}};
    return result;
}

run_result run_call(const placement& where, const run_settings& settings) {
    crew c(settings.times, false, settings.priority);
    return detail::collect(c,
                           c.run({{where.producers[0],
                                   {},
                                   [&](worker& w) {
                                       for (std::uint64_t n = 0; w.keep_going(n);)
                                           for (int k = 0; k < stride; ++k, ++n) call(name_of(n));
                                   }}}),
                           0);
}

} // namespace

void add_kernel_ring(catalogue& out) {
    out.peers.push_back({"kernel_perf_ring", "bytes, any size", "total, in one event's ring", "LOST record",
                         "in band", "write_backward", "from the kernel to a process",
                         "cannot: preemption is off meanwhile"});
    entry e;
    e.workload = "limit/prctl";
    e.probed = false;
    e.run = run_call;
    out.push_back(e);
    e.probed = true;
    e.workload = "kernel/comm-records/throughput";
    e.peer = "ringproof";
    e.run = run_ours;
    out.push_back(e);
    e.peer = "kernel_perf_ring";
    e.run = run_kernel;
    out.push_back(e);
}

} // namespace ringproof::bench
