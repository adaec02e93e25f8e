// SPDX-License-Identifier: Apache-2.0
// A container in which one thread links a node, and another looks. -DORDERED: behind it.
#include <list>
#include <map>
#include <pthread.h>

std::map<int, int> tree;
std::list<int> list{1, 2, 3};

volatile bool seen;

#ifdef TREE
void* changes(void* unused) { return tree[1] = 1, unused; }
bool looks() { return tree.find(1) == tree.end(); }
#else
void* changes(void* unused) { return list.splice(list.begin(), list, std::prev(list.end())), unused; }
bool looks() { return *list.begin() == 1; }
#endif

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, changes, nullptr);
#ifdef ORDERED
    pthread_join(thread, nullptr);
#endif
    seen = looks();
#ifndef ORDERED
    pthread_join(thread, nullptr);
#endif
}
