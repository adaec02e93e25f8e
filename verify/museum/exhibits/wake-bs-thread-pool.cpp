// SPDX-License-Identifier: Apache-2.0
#include <BS_thread_pool_light.hpp>

int main() { BS::thread_pool_light pool(1); }
