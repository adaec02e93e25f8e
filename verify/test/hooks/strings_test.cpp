// SPDX-License-Identifier: Apache-2.0
#include "../command/checked.hpp"

using namespace ringproof::verify::test;
using Catch::Matchers::Contains;

namespace {

/// A call that accesses the text, beside an access by another thread.
void races(const std::string& call, const std::string& meanwhile) {
    CAPTURE(call, meanwhile);
    const std::vector<std::string> flags{"-DCALL=" + call, "-DMEANWHILE=" + meanwhile};
    const program_run run = check("libc_calls.c", flags);
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("data race on text"));
}

} // namespace

TEST_CASE("what functions of libc read of the program's memory races with a write") {
    for (const char* const call :
         {"strlen(text)", "strcmp(text,copy)", "strncasecmp(copy,text,3)", "strchr(text,'t')",
          "strstr(text,\"xt\")", "memchr(text,'t',9)", "strspn(text,\"1\")", "strcpy(copy,text)",
          "strncpy(copy,text,9)", "strcat(copy,text)", "atoi(text)", "strtoul(text,0,10)",
          "fputs(text,stderr)", "fwrite(text,1,size,stderr)", "memcmp(text,copy,size)"})
        races(call, "text[0]='2'");
}

TEST_CASE("what functions of libc write to the program's memory races with a read") {
    for (const char* const call :
         {"strcpy(text,\"abc\")", "stpcpy(text,copy)", "strncpy(text,copy,size)", "sprintf(text,\"%d\",size)",
          "snprintf(text,9,\"%s\",copy)", "(qsort(text,3,1,compare),0)", "(create((pthread_t*)text),0)",
          "(join((void**)text),0)", "sem_getvalue(&semaphore,(int*)text)"})
        races(call, "copy[20]=*(volatile char*)&text[0]");
}

TEST_CASE("a function of libc reads no further than it need") {
    for (const char* const call :
         {"strcmp(text,\"2\")", "strchr(text,' ')", "strnlen(text,3)", "memchr(text,'1',9)",
          "strncmp(text,\"1 text\",3)", "atoi(text)", "strncpy(copy,text,3)"})
        holds("libc_calls.c", {std::string("-DCALL=") + call, "-DMEANWHILE=text[4]='x'"});
    holds("libc_calls.c", {"-DCALL=snprintf(text,3,\"%s\",\"abcdef\")", "-DMEANWHILE=text[4]='x'"});
}

TEST_CASE("accesses by libc that are ordered are no race") {
    holds("libc_calls.c", {"-DCALL=strcpy(text,\"abc\")", "-DMEANWHILE=text[0]='x'", "-DORDERED"});
    holds("libc_calls.c", {"-DCALL=strlen(text)", "-DMEANWHILE=text[0]='x'", "-DORDERED"});
}
