// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stacks whose nodes are linked anew by each attempt to push them: iterations of an old value that write plain memory.

namespace programs {

/// Three threads push a node of their own.
void pushes_of_unlike_threads();
/// The same, where one of them gives up when it is to come behind another one.
void pushes_and_gives_up_behind_one();
/// Two push, and one looks behind the newest node.
void pushes_beside_one_who_looks_behind();
/// Each counts its attempts.
void pushes_and_counts_attempts();
/// One forgets, where it sees that another thread is done, that it has linked its node.
void pushes_what_it_may_not_have_linked();

} // namespace programs
