// SPDX-License-Identifier: Apache-2.0
// FREED: what is given to free().
#include <stdlib.h>
#include <sys/select.h>
#include <unistd.h>

char global, *literal = "text";
_Thread_local char mine;

int main(void) {
    char local = 0;
    char* volatile allocated = malloc(64);
    char* volatile freed = FREED;
    free(freed);
}
