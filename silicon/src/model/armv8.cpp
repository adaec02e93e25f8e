// SPDX-License-Identifier: Apache-2.0
// Armv8 as the Architecture Reference Manual defines it (section B2.3), multi-copy atomic; the names of the
// relations are those of litmus/models/aarch64.cat, whose interpretation is this file's judge.
#include <ringproof/silicon/model.hpp>

namespace ringproof::silicon {
namespace {

/// The relations of one thread that do not depend on values.
class thread_relations {
  public:
    explicit thread_relations(const thread_events& events) : events_(events), size_(events.size()) {}

    relation ordered() const {
        const relation locally =
            (dependencies() | picked() | atomics() | barriers() | writes_behind()).closed();
        const relation choice = picked_address() | picked_data() | picked_control() | picked_through_memory();
        // What a choice decides is ordered with later writes only.
        return locally | choice.then(locally).between(any, [&](std::size_t b) { return write(b); });
    }

  private:
    static bool any(std::size_t) { return true; }
    const event& at(std::size_t i) const { return events_[i]; }
    bool read(std::size_t i) const { return at(i).is_read; }
    bool write(std::size_t i) const { return at(i).is_write; }
    bool access(std::size_t i) const { return read(i) || write(i); }
    bool is_isb(std::size_t i) const { return at(i).fence.instructions; }
    bool acquires(std::size_t i) const { return read(i) && (at(i).acquire || at(i).acquire_pc); }
    bool releases(std::size_t i) const { return write(i) && at(i).release; }

    template <class Related>
    relation pairs(const Related& related) const {
        relation r(size_);
        for (std::size_t a = 0; a < size_; ++a)
            for (std::size_t b = 0; b < size_; ++b)
                if (related(a, b)) r.add(a, b);
        return r;
    }
    bool po(std::size_t a, std::size_t b) const { return in_program_order(events_, a, b); }
    bool po_loc(std::size_t a, std::size_t b) const { return po(a, b) && same_location(events_, a, b); }

    /// Within an instruction it is no dependency, but flows on through memory all the same.
    relation depends(index_set event::*from, bool within_instruction) const {
        relation r(size_);
        for (std::size_t b = 0; b < size_; ++b)
            (at(b).*from).each([&](std::size_t a) {
                if ((at(a).instruction == at(b).instruction) == within_instruction) r.add(a, b);
            });
        return r;
    }
    relation address() const { return depends(&event::address_from, false); }
    relation data() const { return depends(&event::data_from, false); }
    relation control() const { return depends(&event::control_from, false); }

    /// The next read of a location after a write of the thread, no write between.
    relation local_read() const {
        return pairs([&](std::size_t w, std::size_t r) {
            if (!write(w) || !read(r) || !po_loc(w, r)) return false;
            for (std::size_t between = w + 1; between < r; ++between)
                if (write(between) && po_loc(w, between) && po_loc(between, r)) return false;
            return true;
        });
    }
    relation or_same(relation r) const {
        for (std::size_t i = 0; i < size_; ++i) r.add(i, i);
        return r;
    }
    /// What is stored and read back carries a dependency on.
    relation through() const {
        return or_same((data() | depends(&event::data_from, true)).then(local_read()).closed());
    }
    relation picked_through_memory() const {
        return (data() | depends(&event::data_from, true) | depends(&event::picked_data, false) |
                depends(&event::picked_data, true))
            .then(local_read())
            .closed();
    }
    relation picked_by(index_set event::*from, const relation& certain) const {
        return or_same(picked_through_memory()).then(certain | depends(from, false));
    }
    relation picked_address() const { return picked_by(&event::picked_address, address()); }
    relation picked_data() const { return picked_by(&event::picked_data, data()); }
    relation picked_control() const { return picked_by(&event::picked_control, control()); }

    relation to_writes(const relation& r) const {
        return r.between(any, [&](std::size_t b) { return write(b); });
    }
    /// An access at a computed address, then a later write: it waits until the address is known to be legal.
    relation behind_address(const relation& address) const {
        const relation later = pairs([&](std::size_t a, std::size_t b) { return access(a) && po(a, b); });
        return address.then(later);
    }
    /// A branch, or a computed address, then ISB, then anything.
    relation behind_isb(const relation& control, const relation& address) const {
        const relation after =
            pairs([&](std::size_t a, std::size_t b) { return is_isb(a) && access(b) && po(a, b); });
        return (control | behind_address(address)).then(after);
    }

    relation dependencies() const {
        const relation t = through(), a = t.then(address()), d = t.then(data()), c = t.then(control());
        return a | d | to_writes(c) | to_writes(behind_address(a)) | (a | d).then(local_read()) |
               behind_isb(c, a);
    }
    relation picked() const {
        const relation a = picked_address(), d = picked_data(), c = picked_control();
        return to_writes(a) | d | to_writes(c) | to_writes(behind_address(a)) | behind_isb(c, a);
    }
    relation read_modify_writes() const {
        return pairs([&](std::size_t r, std::size_t w) { return at(w).rmw_read == static_cast<int>(r); });
    }
    relation atomics() const {
        const relation rmw = read_modify_writes();
        return rmw | rmw.then(local_read().between(any, [&](std::size_t r) { return acquires(r); }));
    }
    /// Of an atomic instruction that acquires and releases, the write: a full barrier to what follows.
    bool ends_acquire_release(std::size_t w) const {
        const int r = at(w).rmw_read;
        return releases(w) && r >= 0 && !at(w).exclusive && at(static_cast<std::size_t>(r)).acquire;
    }
    relation barriers() const {
        return fenced() | pairs([&](std::size_t a, std::size_t b) {
                   if (!po(a, b) || !access(b)) return false;
                   return ends_acquire_release(a) || acquires(a) || (access(a) && releases(b)) ||
                          (releases(a) && read(b) && at(b).acquire);
               });
    }
    bool orders(const barrier& f, std::size_t a, std::size_t b) const {
        if (read(a) && at(a).no_return && !f.write_write) return false; // only full barriers wait for it
        return (read(a) && ((f.read_read && read(b)) || (f.read_write && write(b)))) ||
               (write(a) && ((f.write_read && read(b)) || (f.write_write && write(b))));
    }
    relation fenced() const {
        return pairs([&](std::size_t a, std::size_t b) {
            for (std::size_t f = a + 1; f < b; ++f)
                if (po(a, f) && po(f, b) && orders(at(f).fence, a, b)) return true;
            return false;
        });
    }
    /// All pieces of the write, where one of them is of the location.
    relation writes_behind() const {
        const relation one = pairs([&](std::size_t a, std::size_t b) { return write(b) && po_loc(a, b); });
        return one |
               one.then(pairs([&](std::size_t a, std::size_t b) { return same_access(events_, a, b); }));
    }

    const thread_events& events_;
    std::size_t size_;
};

class armv8_model final : public model {
  public:
    std::string_view name() const override { return "armv8"; }
    relation local_order(const thread_events& events) const override {
        return thread_relations(events).ordered();
    }
    bool own_write_ends_exclusive() const override { return true; }
};

} // namespace

const model& armv8() {
    static const armv8_model one;
    return one;
}

} // namespace ringproof::silicon
