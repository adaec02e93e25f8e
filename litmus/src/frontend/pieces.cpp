// SPDX-License-Identifier: Apache-2.0
#include "pieces.hpp"
#include "places.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace ringproof::litmus {
namespace {

using op = expressions::op;

/// A location by itself or an array, with the places where an access or an element begins or ends.
struct area {
    std::int64_t size = 0;
    std::set<std::int64_t> cuts;
    bool divided = false;
};

/// A stretch of bytes from the start of an area.
struct stretch {
    std::int32_t base;
    std::int64_t begin;
    int bytes;
};

/// Where an access goes, and which of its bytes are in which piece.
struct piece {
    std::int64_t offset; ///< from the start of the area
    int shift;           ///< in bits, from the lowest of the access
    int bytes;
};

class division {
  public:
    explicit division(const program& whole) : whole_(whole) {}

    program run() {
        find_areas();
        place_computed();
        divided_ = whole_;
        choose_divided();
        place_pieces();
        for (std::vector<path>& paths : divided_.threads) {
            std::vector<path> kept;
            for (const path& one : paths)
                if (possible(one)) kept.push_back(of_path(one));
            paths = std::move(kept);
        }
        return std::move(divided_);
    }

  private:
    // ---- which bytes are accessed in several sizes

    static bool accesses(const event& e) { return e.address != no_expr; }

    /// The bytes of an access, if its address is known.
    std::optional<stretch> bytes_of(const event& e) const {
        if (!whole_.values->is_constant(e.address)) return std::nullopt;
        const value a = whole_.values->constant_of(e.address);
        if (!a.is_address()) return std::nullopt;
        return stretch{a.location, a.number, e.bytes};
    }

    template <class F>
    void each_access(F&& f) const {
        for (const std::vector<path>& paths : whole_.threads)
            for (const path& one : paths)
                for (const event& e : one.events)
                    if (accesses(e)) f(e);
    }

    /// A location without a type has the bytes that accesses from its start have.
    void find_areas() {
        constexpr int untyped = 4;
        areas_.resize(whole_.locations.size());
        for (const program::placement& at : whole_.placed) {
            area& a = area_at(at.array);
            a.size = std::max(a.size, at.offset + at.bytes);
            a.cuts.insert(at.offset);
            a.cuts.insert(at.offset + at.bytes);
        }
        std::vector<bool> typed;
        for (const area& a : areas_) typed.push_back(a.size > 0);
        for (std::size_t l = 0; l < areas_.size(); ++l)
            if (!typed[l]) areas_[l].size = untyped;
        each_access([&](const event& e) {
            const auto where = bytes_of(e);
            if (where && !typed[static_cast<std::size_t>(where->base)] && where->begin == 0)
                area_at(where->base).size = std::max<std::int64_t>(area_at(where->base).size, where->bytes);
        });
        for (area& a : areas_) a.cuts.insert({0, a.size});
    }

    /// From here on, all addresses are constants.
    void place_computed() {
        std::vector<room> rooms;
        for (std::size_t l = 0; l < areas_.size(); ++l)
            if (areas_[l].size > 0 && whole_.placed[l].array == static_cast<std::int32_t>(l) &&
                !whole_.placed[l].code)
                rooms.push_back({static_cast<std::int32_t>(l), areas_[l].size, false});
        for (std::size_t l = 0; l < whole_.placed.size(); ++l)
            if (whole_.initial[l].is_address())
                for (room& r : rooms) r.whole = r.whole || r.base == whole_.placed[l].array;
        try_places(whole_, rooms);
        for (std::size_t l = areas_.size(); l < whole_.locations.size(); ++l) areas_.emplace_back();
    }

    /// Bytes are accessed in several sizes where an access has not the bytes of a location, or two of them overlap.
    void choose_divided() {
        each_access([&](const event& e) {
            const auto where = bytes_of(e);
            if (!where) return;
            if (where->bytes == 0) return; // the whole location, whatever its size is
            area& a = area_at(where->base);
            check_place(*where, a);
            const std::int64_t end = where->begin + where->bytes;
            const auto next = a.cuts.upper_bound(where->begin);
            if (a.cuts.count(where->begin) == 0 || next == a.cuts.end() || *next != end) a.divided = true;
            a.cuts.insert({where->begin, end});
        });
    }

    void check_place(const stretch& s, const area& a) const {
        const std::string& name = whole_.locations[static_cast<std::size_t>(s.base)];
        if (s.begin < 0 || s.begin + s.bytes > a.size)
            throw cannot_divide(
                fmt::format("an access of {} bytes to '{}'+{} is outside of its {} bytes: declare "
                            "a type that is large enough, or an array",
                            s.bytes, name, s.begin, a.size));
        if (s.begin % s.bytes != 0)
            throw cannot_divide(fmt::format("an access of {} bytes to '{}'+{} is not aligned: not supported",
                                            s.bytes, name, s.begin));
    }

    // ---- locations

    area& area_at(std::int32_t base) { return areas_[static_cast<std::size_t>(base)]; }
    const area& area_at(std::int32_t base) const { return areas_[static_cast<std::size_t>(base)]; }

    std::vector<piece> pieces_in(const stretch& s) const {
        const std::set<std::int64_t>& cuts = area_at(s.base).cuts;
        std::vector<piece> all;
        for (auto at = cuts.lower_bound(s.begin); at != cuts.end() && *at < s.begin + s.bytes; ++at)
            all.push_back(
                {*at, static_cast<int>(8 * (*at - s.begin)), static_cast<int>(*std::next(at) - *at)});
        return all;
    }

    static std::uint64_t mask(int bytes) {
        return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
    }
    static std::int64_t part(std::int64_t whole, const piece& p) {
        return static_cast<std::int64_t>((static_cast<std::uint64_t>(whole) >> p.shift) & mask(p.bytes));
    }

    /// The location of a piece, made if there is none.
    std::int32_t location_of(std::int32_t base, const piece& p) {
        const std::int32_t known = divided_.at({p.offset, base});
        if (known >= 0) return known;
        return divided_.location_index(
            fmt::format("{}+{}", whole_.locations[static_cast<std::size_t>(base)], p.offset));
    }

    void place_pieces() {
        divided_.wholes.resize(whole_.locations.size());
        for (std::size_t l = 0; l < whole_.locations.size(); ++l) {
            const program::placement& at = whole_.placed[l];
            const area& a = area_at(at.array);
            if (!a.divided) continue;
            const int bytes = at.bytes ? at.bytes : static_cast<int>(a.size);
            const value initial = whole_.initial[l];
            if (initial.is_address())
                throw cannot_divide(
                    fmt::format("'{}' holds an address, and is accessed in several sizes: not "
                                "supported",
                                whole_.locations[l]));
            program::whole& w = divided_.wholes[l];
            w.bytes = bytes;
            for (const piece& p : pieces_in({at.array, at.offset, bytes})) {
                const std::int32_t where = location_of(at.array, p);
                divided_.placed[static_cast<std::size_t>(where)] = {at.array, p.offset, p.bytes, true};
                divided_.initial[static_cast<std::size_t>(where)] = {part(initial.number, p), -1};
                w.parts.push_back({where, p.shift});
            }
        }
        divided_.wholes.resize(divided_.locations.size());
    }

    // ---- events

    bool is_divided(const event& e) const {
        if (!accesses(e)) return false;
        const auto where = bytes_of(e);
        return where && area_at(where->base).divided;
    }

    std::vector<piece> pieces_of(const event& e) const {
        if (!is_divided(e)) return {};
        stretch s = *bytes_of(e);
        if (s.bytes == 0) s.bytes = static_cast<int>(area_at(s.base).size);
        return pieces_in(s);
    }

    /// Of LDXRH and STXR, the store may fail always, and is left to do so.
    bool possible(const path& one) const {
        return std::all_of(one.events.begin(), one.events.end(), [&](const event& e) {
            return e.rmw_read < 0 || one.events[static_cast<std::size_t>(e.rmw_read)].bytes == e.bytes;
        });
    }

    expressions& values() { return *divided_.values; }

    /// Which events the loads of a set have become.
    load_set moved(load_set from) const {
        load_set to = 0;
        for (load_set left = from; left; left &= left - 1)
            to |= became_[static_cast<std::size_t>(__builtin_ctzll(left))];
        return to;
    }

    event moved(event e) {
        for (load_set event::*set : {&event::address_from, &event::data_from, &event::control_from,
                                     &event::picked_address, &event::picked_data, &event::picked_control,
                                     &event::picked, &event::unsequenced, &event::ordered})
            e.*set = moved(e.*set);
        if (e.stored != no_expr) e.stored = values().replace(e.stored, loaded_);
        if (e.rmw_read >= 0) e.rmw_read = __builtin_ctzll(became_[static_cast<std::size_t>(e.rmw_read)]);
        return e;
    }

    path of_path(const path& one) {
        path to;
        became_.clear();
        loaded_.clear();
        accesses_ = 0;
        for (const event& e : one.events) {
            const std::vector<piece> parts = pieces_of(e);
            if (to.events.size() + std::max<std::size_t>(parts.size(), 1) > most_events_in_path)
                throw cannot_divide(
                    fmt::format("a thread has more than {} events when its accesses of several "
                                "sizes are in pieces: not supported",
                                most_events_in_path));
            load_set became = 0;
            for (std::size_t i = 0; i < std::max<std::size_t>(parts.size(), 1); ++i)
                became |= load_set{1} << (to.events.size() + i);
            became_.push_back(became);
            if (parts.empty())
                to.events.push_back(moved(e));
            else
                add_pieces(e, parts, to);
        }
        for (const assumption& a : one.assumed)
            to.assumed.push_back({values().replace(a.condition, loaded_), a.holds});
        for (const auto& [name, e] : one.registers) to.registers[name] = values().replace(e, loaded_);
        return to;
    }

    /// The events of one access. Nothing orders them; of a read-modify-write instruction, only those of one piece
    /// are in program order.
    void add_pieces(const event& e, const std::vector<piece>& parts, path& to) {
        if (e.paired)
            throw cannot_divide("LDXP or STXP of bytes that are accessed in several sizes is not supported");
        const std::int32_t base = bytes_of(e)->base;
        const std::size_t first = to.events.size();
        const event all = moved(e);
        expr result = no_expr;
        ++accesses_;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            event one = all;
            const piece& p = parts[k];
            one.access = accesses_;
            one.bytes = p.bytes;
            one.address = values().constant({p.offset, base});
            if (e.rmw_read >= 0) one.rmw_read += static_cast<int>(k);
            for (std::size_t i = 0; i < to.events.size(); ++i)
                if (to.events[i].instance == e.instance && (i >= first || within(to.events[i], one)))
                    one.unsequenced |= load_set{1} << i;
            if (e.is_read) {
                one.loaded = values().fresh_variable();
                result = joined(result, one.loaded, p);
            }
            to.events.push_back(one);
        }
        if (e.is_read) loaded_[values().variable_of(e.loaded)] = of_access(result, e.bytes);
        for (std::size_t k = 0; e.is_write && k < parts.size(); ++k) {
            event& one = to.events[first + k];
            if (e.is_read) one.stored = values().replace(all.stored, loaded_);
            one.whole = one.stored;
            one.stored = piece_of(one.stored, parts[k]);
        }
    }

    /// An earlier event of the same instruction and of another piece.
    bool within(const event& earlier, const event& one) const {
        return earlier.access != 0 && earlier.address != one.address;
    }

    expr joined(expr lower, expr loaded, const piece& p) {
        const expr here = values().apply(op::shift_left, loaded, values().number(p.shift));
        return lower == no_expr ? here : values().apply(op::bit_or, lower, here);
    }
    /// Values of four bytes are kept with their sign, smaller ones without.
    expr of_access(expr e, int bytes) { return bytes == 4 ? values().apply(op::sign32, e) : e; }

    expr piece_of(expr stored, const piece& p) {
        const expr down = values().apply(op::shift_right, stored, values().number(p.shift));
        if (p.bytes >= 8) return down;
        return values().apply(op::bit_and, down, values().number(static_cast<std::int64_t>(mask(p.bytes))));
    }

    program whole_; ///< with constants for computed addresses
    program divided_;
    std::vector<area> areas_; ///< of each location that begins one
    std::vector<load_set> became_;
    std::unordered_map<std::size_t, expr> loaded_; ///< variable of a divided load -> its pieces put together
    int accesses_ = 0;
};

} // namespace

program in_pieces(const program& whole) {
    try {
        return division(whole).run();
    } catch (const too_many_paths&) {
        throw cannot_divide(
            "a test that accesses one location in several sizes, or has LDXP or STXP, and whose "
            "threads compute addresses from what they load, has too many places for them to try: not "
            "supported");
    } catch (const too_many_locations&) {
        throw cannot_divide(
            "a test has too many locations when those accessed in several sizes are in pieces: not "
            "supported");
    } catch (const expression_too_large&) {
        throw cannot_divide(
            "a thread computes a value in too many steps from what it loads in pieces: not supported");
    }
}

} // namespace ringproof::litmus
