// SPDX-License-Identifier: Apache-2.0
#include "channel.hpp"

#include <cstdio>
#include <limits>
#include <stdexcept>
#include <unistd.h>

namespace ringproof::verify::ranks {
namespace {

constexpr int tag = 1;

void check(int code, const char* what) {
    if (code != MPI_SUCCESS) throw std::runtime_error(std::string("MPI: ") + what + " failed");
}

} // namespace

channel::channel(int& argc, char**& argv) {
    check(MPI_Init(&argc, &argv), "MPI_Init");
    // A rank that died is no reason for the others to.
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    int self = 0, ranks = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &self), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
    self_ = static_cast<rank_id>(self);
    ranks_ = static_cast<rank_id>(ranks);
}

std::string channel::host() const {
    char name[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    return MPI_Get_processor_name(name, &length) == MPI_SUCCESS
               ? std::string(name, static_cast<std::size_t>(length))
               : "";
}

void channel::forget_sent() {
    for (auto s = sent_.begin(); s != sent_.end();) {
        int complete = 0;
        const bool failed = MPI_Test(&s->request, &complete, MPI_STATUS_IGNORE) != MPI_SUCCESS;
        s = complete || failed ? sent_.erase(s) : std::next(s);
    }
}

void channel::send(rank_id to, const message& m) {
    if (to == self_) {
        own_.push_back(m);
        return;
    }
    transfer& s = sent_.emplace_back();
    s.bytes = packed(m);
    if (s.bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw std::runtime_error("a part of a search is larger than a message of MPI may be");
    // To a rank that died it fails, or stays for ever.
    if (MPI_Isend(s.bytes.data(), static_cast<int>(s.bytes.size()), MPI_BYTE, static_cast<int>(to), tag,
                  MPI_COMM_WORLD, &s.request) != MPI_SUCCESS)
        sent_.pop_back();
}

/// A large message comes in pieces, and whoever sends it may die in between.
void channel::begin_to_receive() {
    int there = 0, size = 0;
    MPI_Status status;
    MPI_Message which;
    if (MPI_Improbe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &which, &status) != MPI_SUCCESS || !there)
        return;
    check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
    transfer& r = received_.emplace_back();
    r.from = static_cast<rank_id>(status.MPI_SOURCE);
    r.bytes.resize(static_cast<std::size_t>(size));
    check(MPI_Imrecv(r.bytes.data(), size, MPI_BYTE, &which, &r.request), "MPI_Imrecv");
}

std::optional<std::pair<rank_id, message>> channel::receive() {
    forget_sent();
    if (!own_.empty()) {
        std::pair<rank_id, message> got{self_, std::move(own_.front())};
        own_.pop_front();
        return got;
    }
    begin_to_receive();
    for (auto r = received_.begin(); r != received_.end(); ++r) {
        int complete = 0;
        check(MPI_Test(&r->request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
        if (!complete) continue;
        std::pair<rank_id, message> got{r->from, unpacked(r->bytes)};
        received_.erase(r);
        return got;
    }
    return {};
}

void channel::flush(double seconds) {
    for (int tries = static_cast<int>(seconds * 1000); !sent_.empty() && tries > 0; --tries) {
        forget_sent();
        usleep(1000);
    }
}

void channel::end(bool all_there) {
    if (all_there) MPI_Finalize();
}

} // namespace ringproof::verify::ranks
