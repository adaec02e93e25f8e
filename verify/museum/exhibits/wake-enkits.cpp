// SPDX-License-Identifier: Apache-2.0
// The worker is a thread of the driver's, which goes to sleep as a worker of enkiTS does that has found no task.
#include <TaskScheduler.h>
#include <thread>

struct pinned_task : enki::IPinnedTask {
    pinned_task() : IPinnedTask(1) {}
    void Execute() override {}
};

int main() {
    auto& scheduler = *new enki::TaskScheduler; // not deleted: its end waits for tasks, which do not run here
    enki::TaskSchedulerConfig config;
    config.numTaskThreadsToCreate = 0;
    config.numExternalTaskThreads = 1;
    scheduler.Initialize(config);
    pinned_task task;
    std::thread worker([&] { scheduler.WaitForNewTasks(1); });
    scheduler.AddPinnedTask(&task);
    worker.join();
}
