// SPDX-License-Identifier: Apache-2.0
// The kernel as the judge of who may write whose ring: all pairs of events of this thread and another, of any CPU and of
// two, with three clocks, forward and backward, mapped and not. What PERF_EVENT_IOC_SET_OUTPUT answers must be what
// `may_redirect` does.
//
// Exit code 0, 1 when they differ, 77 when perf_event_open is not permitted here. Two rules are not asked of the kernel:
// two kinds of trace (`other_aux_source`) need hardware, and `closing` lasts for some instructions only.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <future>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel_ring.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/session/output.hpp"

namespace {

/// An event of the kernel as it is described.
class event {
  public:
    explicit event(const output_description& what) {
        perf_event_attr attr{};
        attr.size = sizeof attr;
        attr.type = PERF_TYPE_SOFTWARE;
        attr.config = PERF_COUNT_SW_DUMMY;
        attr.exclude_kernel = 1;
        attr.disabled = 1;
        attr.write_backward = what.backward;
        attr.use_clockid = what.clock != 0;
        attr.clockid = what.clock == 1 ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_RAW;
        if (what.clock == 0) attr.clockid = 0;
        descriptor_ = static_cast<int>(
            ::syscall(SYS_perf_event_open, &attr, what.thread, what.cpu, -1, PERF_FLAG_FD_CLOEXEC));
        if (descriptor_ < 0) skip("perf_event_open");
        if (!what.mapped) return;
        page_ = ::mmap(nullptr, length(), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
        if (page_ == MAP_FAILED) skip("mmap of a perf ring");
    }
    event(const event&) = delete;
    event& operator=(const event&) = delete;
    ~event() {
        if (page_ != nullptr) ::munmap(page_, length());
        ::close(descriptor_);
    }
    [[nodiscard]] bool redirect(const event& other) const {
        return ::ioctl(descriptor_, PERF_EVENT_IOC_SET_OUTPUT, other.descriptor_) == 0;
    }
    [[nodiscard]] bool redirects_to(const event& other) const {
        const bool done = redirect(other);
        if (done) ::ioctl(descriptor_, PERF_EVENT_IOC_SET_OUTPUT, -1);
        return done;
    }

  private:
    static std::size_t length() { return 2 * mapped_memory::page_size(); }
    int descriptor_;
    void* page_ = nullptr;
};

std::vector<output_description> all_kinds(std::uint64_t other_thread) {
    cpu_set_t set;
    std::vector<int> cpus{-1};
    if (::sched_getaffinity(0, sizeof set, &set) == 0)
        for (int cpu = 0; cpu != CPU_SETSIZE && cpus.size() != 3; ++cpu)
            if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
    std::vector<output_description> result;
    for (const int cpu : cpus)
        for (const std::uint64_t thread : {static_cast<std::uint64_t>(::gettid()), other_thread})
            for (const std::uint32_t clock : {0U, 1U, 2U})
                for (const bool backward : {false, true})
                    for (const bool mapped : {false, true})
                        result.push_back({cpu, thread, clock, 0, backward, mapped, false});
    return result;
}

} // namespace

int main() {
    std::promise<std::uint64_t> started;
    std::promise<void> over;
    std::thread other([&] {
        started.set_value(static_cast<std::uint64_t>(::gettid()));
        over.get_future().wait();
    });
    other.detach(); // it ends with the process, however that ends
    const auto kinds = all_kinds(started.get_future().get());
    std::map<output_refusal, unsigned> counts;
    unsigned pairs = 0, wrong = 0;
    const auto compare = [&](const output_description& from, const output_description& to, bool same) {
        const event one(from);
        std::optional<event> two;
        if (!same) two.emplace(to);
        const bool kernel = one.redirects_to(same ? one : *two);
        const output_refusal ours = may_redirect(from, to, same);
        ++pairs, ++counts[ours];
        if (kernel == (ours == output_refusal::none)) return;
        ++wrong;
        std::printf("the kernel %s, we say %u: CPU %d to %d, %s thread, clock %u to %u, backward %d to %d, "
                    "mapped %d to %d\n",
                    kernel ? "does it" : "refuses", static_cast<unsigned>(ours), from.cpu, to.cpu,
                    from.thread == to.thread ? "the same" : "another", from.clock, to.clock, from.backward,
                    to.backward, from.mapped, to.mapped);
    };
    for (const auto& from : kinds) {
        compare(from, from, true);
        for (const auto& to : kinds) compare(from, to, false);
    }
    // Also to an event that has been redirected itself: then it is that one's ring.
    const output_description plain{-1, static_cast<std::uint64_t>(::gettid()), 0, 0, false, false, false};
    output_description owning = plain;
    owning.mapped = true;
    const event owner(owning), guest(plain), third(plain);
    if (!guest.redirect(owner) || !third.redirects_to(guest)) {
        std::printf("the kernel does not hand on where an event was redirected to\n");
        ++wrong;
    }
    std::printf("%u pairs, %u differ; %u allowed, refused:", pairs, wrong, counts[output_refusal::none]);
    for (const auto& [why, count] : counts)
        if (why != output_refusal::none) std::printf(" rule %u %u", static_cast<unsigned>(why), count);
    std::printf("\n");
    std::fflush(stdout);
    std::_Exit(wrong == 0 ? 0 : 1);
}
