// SPDX-License-Identifier: Apache-2.0
#pragma once
// All executions of one choice of paths and locations.

#include "../cat/coherence.hpp"
#include "../cat/evaluator.hpp"
#include "execution.hpp"
#include "question.hpp"
#include "structure.hpp"

namespace ringproof::litmus {

/// Who is told what is found.
struct execution_sink {
    virtual ~execution_sink() = default;
    virtual const question& asked() const = 0;
    /// Every load has its store, and its path is taken: perhaps an execution.
    /// @param valued otherwise some values only justify each other, and what is assumed of them may not hold
    virtual void loads_chosen(bool valued) = 0;
    /// An execution that the model allows and the filter lets through, by the values of what is shown.
    virtual void found(const std::vector<value>& values) = 0;
    virtual void flag(const std::string& name) = 0;
    /// The model allows an execution of which values only justify each other, out of thin air: what it does to
    /// the condition is known as far as the other values decide it.
    virtual void found_thin_air(const question::outlook& condition) = 0;
    /// Are orders left out in which a store comes between the halves of a read-modify-write? The model rejects
    /// them anyway.
    virtual bool orders_atomics() const = 0;
    /// After how many executions is the model asked about parts of them? It may be never.
    virtual std::size_t asks_about_parts_after() const = 0;
    /// Are executions that the model rejects sought, to tell why? Then none is left out.
    virtual bool explains() const = 0;
    /// A rejected execution with these values, and by how many checks: is it to be explained?
    virtual bool wants_why(const std::vector<value>& values, std::size_t failed) const = 0;
    virtual void explain(why_not why) = 0;
    /// Would one more make a difference?
    virtual bool asks_for_thin_air() const = 0;
    /// The model was asked about one more.
    virtual void count_candidate() = 0;
    /// Work is counted here. @throws out_of_time, to end the search
    virtual watch& time() = 0;
    /// Is the execution with these values, just found, to be kept?
    virtual bool wants(const std::vector<value>& values) const = 0;
    virtual void keep(execution x) = 0;
};

void search_executions(execution_sink& to, const program& p, const std::vector<const path*>& paths,
                       const structure& s, std::vector<assumption> assumed, const cat::graph& g,
                       cat::evaluator& e, const cat::forbidden_shapes& shapes);

} // namespace ringproof::litmus
