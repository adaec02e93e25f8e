// SPDX-License-Identifier: Apache-2.0
// Hazard pointers: a reader says what it is about to look at, and nobody frees that.
// M. M. Michael: Hazard pointers: safe memory reclamation for lock-free objects. IEEE TPDS 15(6), 2004.
//
// The reader stores its hazard and looks again whether the object is still there; the writer takes the object away and
// looks at the hazards. Store, then look, on both sides: without full fences each may miss the other.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <memory>
#include <thread>

namespace {

using std::memory_order;

struct object {
    int value;
};

/// One place for an object, one reader, one writer.
template <bool Fenced, bool LooksAgain>
class guarded_place {
  public:
    explicit guarded_place(object* first) : place_(first) {}

    int read() {
        object* seen = nullptr;
        for (;;) {
            seen = place_.load(memory_order::relaxed);
            hazard_.store(seen, memory_order::relaxed);
            if (Fenced) std::atomic_thread_fence(memory_order::seq_cst);
            if (!LooksAgain || place_.load(memory_order::acquire) == seen) break;
        }
        if (!LooksAgain) std::atomic_thread_fence(memory_order::acquire);
        const int value = seen->value;
        hazard_.store(nullptr, memory_order::release);
        return value;
    }

    /// @return the old object, if somebody may still look at it
    std::unique_ptr<object> replace(object* fresh) {
        std::unique_ptr<object> old(place_.exchange(fresh, memory_order::acq_rel));
        std::atomic_thread_fence(memory_order::seq_cst);
        if (hazard_.load(memory_order::acquire) == old.get()) return old;
        return nullptr; // freed here
    }

    object* last() { return place_.load(memory_order::relaxed); }

  private:
    std::atomic<object*> place_;
    std::atomic<object*> hazard_{nullptr};
};

template <class Place>
void nobody_looks_at_what_is_freed() {
    Place place(new object{1});
    std::unique_ptr<object> retired;
    std::thread writer([&] {
        retired = place.replace(new object{2});
        ringproof::verify::cover(retired ? "kept" : "freed");
    });
    const int seen = place.read();
    VERIFY_THAT(seen == 1 || seen == 2);
    writer.join();
    delete place.last();
}

} // namespace

VERIFY("hazard pointers: freed nodes are not read", .models = {rc11, tso, sc}, .covers = {"kept", "freed"}) {
    nobody_looks_at_what_is_freed<guarded_place<true, true>>();
}
VERIFY("hazard pointers, mutant: no full fence between the hazard and the second look", .models = {rc11, tso},
       .expect = refuted) {
    nobody_looks_at_what_is_freed<guarded_place<false, true>>();
}
VERIFY("hazard pointers, mutant: no second look", .models = {rc11, tso, sc}, .expect = refuted) {
    nobody_looks_at_what_is_freed<guarded_place<true, false>>();
}
