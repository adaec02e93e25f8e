// SPDX-License-Identifier: Apache-2.0
#include "thread_run.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ringproof::silicon::a64 {

thread_run::next thread_run::stop(run::end how) {
    result_->how = how;
    return next::over;
}

thread_run::next thread_run::wait_for(const index_set& reads) {
    result_->waits_for = reads;
    return stop(run::end::waits);
}

/// The thread ends here; the execution goes on without it, so that the search comes to its end and tells.
thread_run::next thread_run::fail(std::string why) {
    result_->failure = std::move(why);
    return end();
}

void thread_run::refuse(const std::string& why) const { throw not_known_here{pc_, calls(), why}; }

bool thread_run::known(const shared_origin& o) const {
    bool all = true;
    if (o) o->needs.each([&](std::size_t read) { all = all && loaded(read); });
    return all;
}

bool thread_run::begin(const beginning& of_main) {
    if (self_ == 0) {
        allocated_ = of_main.allocated;
        time_ = of_main.time;
        cpu_.set_all(of_main.at);
        return true;
    }
    event e;
    e.is_read = true;
    e.address = start_of(self_);
    e.bytes = 16;
    e.acquire = true;
    const std::size_t read = add(e);
    const std::optional<word> told = loaded(read);
    if (!told) return wait_for(from_read(read)->needs), false;
    if (told->high == 0) { // it was not created yet, and may never be
        result_->waits_for.insert(read);
        return stop(run::end::stuck), false;
    }
    control_ = from_read(read);
    time_ = of_main.time;
    registers at;
    at.general[0] = told->low;
    at.general[stack_pointer] = memory_.stack_top(self_);
    at.pc = told->high;
    cpu_.set_all(at);
    return true;
}

beginning thread_run::go_alone(std::uint64_t main) {
    alone_ = true;
    registers at;
    at.general[stack_pointer] = memory_.stack_top(self_);
    at.pc = main;
    cpu_.set_all(at);
    while (step() == next::on) {
    }
    memory_.forget();
    return {cpu_.all(), allocated_, time_};
}

std::shared_ptr<const traced_run> thread_run::go(const beginning& of_main) {
    const struct undone {
        memory& all;
        ~undone() { all.undo(); }
    } at_the_end{memory_};
    if (begin(of_main))
        while (step() == next::on) {
        }
    return result_;
}

thread_run::next thread_run::step() {
    pc_ = cpu_.pc();
    if (++instruction_ > limits_.instructions) return stop(run::end::cut);
    if (!memory_.is_code(pc_)) return fail(fmt::format("it goes on at {:#x}, where no code is", pc_));
    const instruction& i = code_.at(pc_);
    if (i.before != barrier{}) add_barrier(i.before);
    switch (i.what) {
    case kind::plain:
        origins_.set(i.to, origins_.of(i.from));
        cpu_.step();
        return next::on;
    case kind::select:
        select(i);
        return next::on;
    case kind::branch:
        return branch(i);
    case kind::nothing:
        cpu_.skip();
        return next::on;
    case kind::thread_pointer:
        i.to.each([&](register_number r) { cpu_.set(r, memory_.thread_pointer(self_)); });
        origins_.set(i.to, nullptr);
        cpu_.skip();
        return next::on;
    case kind::barrier:
        add_barrier(i.fence);
        cpu_.skip();
        return next::on;
    case kind::call:
        return call(i);
    case kind::refused:
        refuse("this instruction is not known here");
    default:
        return access(i);
    }
}

void thread_run::add_barrier(const barrier& b) {
    event e;
    e.fence = b;
    add(e);
    ++instruction_; // what follows is another instruction, where this one is tried in front of it
}

/// CSEL and its kin order less than arithmetic does: "pick dependencies" of the architecture. What is not selected, and
/// what selects where that is not known yet, is left out, so that no order is claimed that there is not.
void thread_run::select(const instruction& i) {
    const shared_origin all = origins_.of(i.from), condition = origins_.of(flags);
    cpu_.step();
    if (!all) return origins_.set(i.to, nullptr);
    auto result = std::make_shared<origin>();
    result->needs = all->needs;
    if (condition) result->picked = condition->picked;
    if (known(condition)) result->picked |= all->picked;
    origins_.set(i.to, result);
}

thread_run::next thread_run::branch(const instruction& i) {
    const shared_origin decides = origins_.of(i.from);
    if (!known(decides)) return wait_for(decides->needs);
    control_ = both(control_, decides);
    origins_.set(i.to, nullptr);
    cpu_.step();
    if (cpu_.pc() > pc_) return next::on;
    return goes_round(cpu_.pc()) ? stop(run::end::stuck) : next::on;
}

/// A value that is not known yet is the same as long as its register is not written.
thread_run::at_head thread_run::here() const {
    at_head a{cpu_.all(), own_, effects_, {}};
    for (register_number r = 0; r <= flags; ++r)
        if (!known(origins_.of(r))) a.unknown.push_back(origins_.written(r));
    return a;
}

/// A round of a loop that changed nothing, neither what others see nor registers and memory of its own, is left out:
/// without its reads, whatever follows is ordered less, so that the executions without it show all that comes of it. It
/// remains only for a thread that goes round for ever: it then reads the newest writes. Where the round looked at memory
/// that is not known to be shared, others go on: they may be about to write it.
///
/// A read-modify-write that acquires and puts back what was there counts as no change: what reads from it can read from
/// the write before it, to which it is ordered at least as well, as an acquire orders all that follows it.
bool thread_run::goes_round(std::uint64_t to) {
    const at_head a = here();
    const std::size_t events = result_->events.size();
    const auto [before, first] = heads_.try_emplace(to, a, events);
    if (first) return false;
    const bool same = before->second.first == a;
    const std::size_t begin = before->second.second;
    before->second = {a, events};
    if (!same) return false;
    result_->waits = waiting::loop;
    for (std::size_t e = begin; e < events; ++e) {
        if (result_->events[e].is_read) result_->waits_for.insert(e);
        if (idle_.contains(e)) result_->idle.insert(e);
    }
    return true;
}

/// In a call of the runtime, after the read that is the last event.
thread_run::next thread_run::stuck_at(waiting what) {
    result_->waits = what;
    result_->waits_for.insert(result_->events.size() - 1);
    return stop(run::end::stuck);
}

event thread_run::access_event(const instruction& i, std::uint64_t address, std::uint32_t bytes) const {
    event e;
    e.address = address;
    e.bytes = bytes;
    e.acquire = i.acquire;
    e.acquire_pc = i.acquire_pc;
    e.release = i.release;
    e.exclusive = i.exclusive;
    if (address_) {
        e.address_from = address_->from;
        e.picked_address = address_->picked;
    }
    return e;
}

/// Functions of the runtime and small ones of libraries keep the return address in its register; the frame is then their
/// caller's.
traced_run::call_pair thread_run::calls() const {
    const std::uint64_t frame = cpu_.value(29);
    std::uint64_t above = 0;
    if (memory_.at(frame, 16).whose == memory::owner::thread)
        std::memcpy(&above, reinterpret_cast<const void*>(frame + 8), sizeof(above));
    return {cpu_.value(30) - 4, above - 4};
}

std::size_t thread_run::add(event e, std::optional<word> stored) {
    e.instruction = instruction_;
    if (control_) {
        e.control_from = control_->from;
        e.picked_control = control_->picked;
    }
    result_->events.push_back(std::move(e));
    result_->stored.push_back(stored);
    result_->code.push_back(pc_);
    result_->called_at.push_back(calls());
    code_.note_event(pc_, result_->called_at.back());
    return result_->events.size() - 1;
}

shared_origin thread_run::from_read(std::size_t read) const {
    auto o = std::make_shared<origin>();
    for (index_set* set : {&o->from, &o->picked, &o->needs}) set->insert(read);
    return o;
}

} // namespace ringproof::silicon::a64
