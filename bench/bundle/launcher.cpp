// SPDX-License-Identifier: Apache-2.0
// Starts a program of the bundle with the bundle's own loader and libraries, so that the target machine needs
// none: not even a C library. Linked statically, and needs nothing but the kernel.
//
//     bundle/ringproof-bench     this
//     bundle/lib/ringproof-bench.bin, the loader, the libraries
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

int main(int argc, char** argv) {
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    // Without /proc, as it was called.
    std::string path = length > 0 ? std::string(self, static_cast<std::size_t>(length))
                                  : std::string(argc > 0 ? argv[0] : "");
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash),
                      name = slash == std::string::npos ? path : path.substr(slash + 1),
                      lib = folder + "/lib", loader = lib + "/loader", program = lib + "/" + name + ".bin";
    std::vector<char*> arguments;
    for (const char* text :
         {loader.c_str(), "--library-path", lib.c_str(), "--argv0", argc > 0 ? argv[0] : "", program.c_str()})
        arguments.push_back(const_cast<char*>(text)); // execv's signature; it changes nothing
    for (int i = 1; i < argc; ++i) arguments.push_back(argv[i]);
    arguments.push_back(nullptr);
    execv(loader.c_str(), arguments.data());
    std::fprintf(stderr, "%s: cannot start %s: %s\n", name.c_str(), loader.c_str(), std::strerror(errno));
    return 3;
}
