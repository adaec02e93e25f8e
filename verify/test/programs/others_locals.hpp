// SPDX-License-Identifier: Apache-2.0
#pragma once
// A library that the checker doesn't see writes into a local variable of another thread.

namespace programs {

// How a thread comes to know where the other one's variable is. What the library wrote is what it was told to write.
void told_by_a_closure();
void told_by_an_argument();
void told_by_an_atomic();
void told_by_a_copy();

/// An execution that ends right behind the print leaves nothing of it.
void told_before_the_end();

/// The same in a loop that waits: a round that prints is not the round before.
void prints_into_others_while_waiting();

} // namespace programs
