#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The CI templates, run step by step in a project of somebody else's. No network.

usage: templates_test.py CASE BUILD

BUILD has the commands in bin/. What would install packages and build is replaced by programs that write down that
they were called; the case "builds" alone takes the real ones.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

try:
    import yaml
except ImportError:
    print("python3-yaml is missing: skipped")
    sys.exit(77)

import gitlab
from github import Runner

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

HEADER = """#include <atomic>
struct flag {
    std::atomic<int> ready{0};
    int data = 0;
    void put() { data = 42, ready.store(1, ORDER); }
    int get() { return ready.load(std::memory_order_acquire) ? data : 42; }
};
"""
PROGRAM = """#include "flag.hpp"
#include <cassert>
#include <thread>
int main() {
    flag one;
    std::thread other([&] { one.put(); });
    assert(one.get() == 42);
    other.join();
}
"""
TOML = """[defaults]
flags = ["-Iinclude"]
[[program]]
name = "flag"
sources = ["tests/*.cpp"]
flags = ["-DORDER=std::memory_order_{order}"]
"""
TWIN = """[[program]]
name = "flag without its release"
sources = ["tests/*.cpp"]
flags = ["-DORDER=std::memory_order_relaxed"]
expect = "refuted"
"""


class Project:
    """A repository of somebody else's, a machine without network, and the checker's own tree elsewhere."""

    def __init__(self, scratch, build, order="release", twin=False, real=False):
        self.scratch, self.work = scratch, os.path.join(scratch, "a b", "project")
        self.programs, self.calls = os.path.join(scratch, "bin"), os.path.join(scratch, "calls")
        for folder in ("include", "tests", ".git"):
            os.makedirs(os.path.join(self.work, folder), exist_ok=True)
        os.makedirs(self.programs, exist_ok=True)
        self.write("include/flag.hpp", HEADER)
        self.write("tests/flag.cpp", PROGRAM)
        self.write("ringproof.toml", TOML.replace("{order}", order) + (TWIN if twin else ""))
        self.fake("apt-get", "exit 0")
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith(("RINGPROOF_", "GITHUB_", "CI_"))}
        self.environment.update(PATH=f"{self.programs}:{os.environ['PATH']}", HOME=scratch)
        if not real:
            self.fake("cmake", "exit 0")
            self.environment["RINGPROOF_BUILD"] = build

    def write(self, name, text):
        with open(os.path.join(self.work, name), "w", encoding="utf-8") as file:
            file.write(text)

    def fake(self, name, script):
        path = os.path.join(self.programs, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho {name} \"$@\" >>'{self.calls}'\n{script}\n")
        os.chmod(path, 0o755)

    def called(self):
        if not os.path.exists(self.calls):
            return ""
        with open(self.calls, encoding="utf-8") as file:
            return file.read()

    def result(self, name):
        with open(os.path.join(self.work, "ringproof-results", name), encoding="utf-8") as file:
            return file.read()

    def github(self, **inputs):
        shutil.rmtree(os.path.join(self.work, ".ringproof"), ignore_errors=True)  # another job: the cache alone is left
        runner = Runner(os.path.join(TOP, "ci/github/action.yml"), self.work, os.path.join(self.scratch, "cache"), self.environment)
        return runner, runner.run(**inputs)

    def gitlab(self):
        self.fake("git", f"for folder; do :; done\nmkdir -p \"${{folder%/*}}\" && ln -s '{TOP}' \"$folder\"")
        return gitlab.run_job(os.path.join(TOP, "ci/gitlab/ringproof.yml"), "ringproof", self.work, self.environment,
                              {"RINGPROOF_REPOSITORY": "https://example.org/ringproof.git", "RINGPROOF_REF": "v1"})


def has(text, *words):
    for word in words:
        assert word in text, f"{word!r} is not in:\n{text}"


FILES = ["annotations.txt", "code-quality.json", "index.html", "junit.xml", "results.json", "results.sarif", "summary.md"]


def case_github_holds(scratch, build):
    """GitHub: a project that holds passes, with its broken twin refuted, and builds the checker once"""
    project = Project(scratch, build, twin=True)
    runner, code = project.github()
    assert code == 0, runner.log
    has(project.called(), "--preset checker", "--target ringproof ringproof-check ringproof-report")
    has(runner.log, "2 results: 2 as expected")
    assert "::error" not in runner.log and "::warning" not in runner.log, runner.log
    with open(runner.summary, encoding="utf-8") as file:
        has(file.read(), "Everything asked for holds", "| flag | rc11 | verified | 2 |", "| flag without its release | rc11 | refuted, as expected |")
    assert runner.result == {"exit-code": "0"}, runner.result
    assert runner.uploaded == FILES, runner.uploaded
    assert runner.sarif is None
    assert json.loads(project.result("results.sarif"))["runs"][0]["results"] == []
    # The next job has the cache, and builds nothing.
    os.remove(project.calls)
    runner, code = project.github()
    assert code == 0, runner.log
    has(runner.log, "is up to date")
    assert "cmake" not in project.called(), project.called()


def case_github_refuted(scratch, build):
    """GitHub: a refuted program fails the job, with an annotation at its line, SARIF, a summary and all results"""
    project = Project(scratch, build, order="relaxed")
    runner, code = project.github(upload_sarif="true")
    assert code == 1, runner.log
    has(runner.log, "\n::error file=include/flag.hpp,line=6,title=ringproof%3A data race::flag under rc11: data race on one.data")
    result = runner.sarif["runs"][0]["results"][0]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "include/flag.hpp" and place["region"]["startLine"] == 6, place
    assert result["ruleId"] == "data-race" and result["partialFingerprints"]["primaryLocationLineHash"], result
    with open(runner.summary, encoding="utf-8") as file:
        has(file.read(), "1 of 1 result is not as expected", "| flag | rc11 | **refuted** |", "again: ringproof check --program flag --replay ")
    assert runner.result == {"exit-code": "1"}, runner.result
    assert runner.uploaded == FILES, runner.uploaded


def case_github_budget(scratch, build):
    """GitHub: a budget that ends a search fails the job or not, as its inputs say, and is in the summary"""
    project = Project(scratch, build)
    runner, code = project.github(budget="0.000001")
    assert code == 4, runner.log
    has(runner.log, "::warning file=tests/flag.cpp,line=1,title=ringproof%3A inconclusive::flag under rc11: the budget of ")
    runner, code = project.github(budget="0.000001", fail_on="refuted")
    assert code == 0, runner.log
    assert runner.result == {"exit-code": "4"}, runner.result
    has(project.result("summary.md"), "Nothing is refuted, but 1 of 1 result is inconclusive")
    runner, code = project.github(fail_on="never")
    assert code == 2, runner.log
    has(runner.log, "it must be inconclusive or refuted")


def case_github_bad_input(scratch, build):
    """GitHub: a mistake in ringproof.toml fails the job with its line, and leaves no results of a run before"""
    project = Project(scratch, build)
    runner, code = project.github()
    assert code == 0, runner.log
    project.write("ringproof.toml", "[[program]]\nnmae = \"flag\"\n")
    runner, code = project.github()
    assert code == 2, runner.log
    has(runner.log, "ringproof.toml:2:1: unknown key 'nmae': did you mean 'name'?")
    assert runner.uploaded == [], runner.uploaded


def case_github_workflow(_scratch, _build):
    """GitHub: the example workflow uses the action with inputs that it has"""
    with open(os.path.join(TOP, "ci/github/workflow.yml"), encoding="utf-8") as file:
        workflow = yaml.safe_load(file)
    with open(os.path.join(TOP, "ci/github/action.yml"), encoding="utf-8") as file:
        action = yaml.safe_load(file)
    job = workflow["jobs"]["check"]
    ours = [step for step in job["steps"] if step["uses"].startswith("OWNER/ringproof/")]
    assert len(ours) == 1 and ours[0]["uses"] == "OWNER/ringproof/ci/github@REF", ours
    assert set(ours[0]["with"]) <= set(action["inputs"]), ours
    assert workflow["permissions"]["security-events"] == "write"
    with open(os.path.join(TOP, "docs/ci.md"), encoding="utf-8") as file:
        page = file.read()
    for name in list(action["inputs"]) + list(action["outputs"]):
        has(page, f"`{name}`")


def case_gitlab_holds(scratch, build):
    """GitLab: a project that holds passes, and the job leaves the reports that it names"""
    project = Project(scratch, build, twin=True)
    code, log, job = project.gitlab()
    assert code == 0, log
    has(log, "2 results: 2 as expected")
    has(project.called(), "git clone -q --depth 1 --branch v1 https://example.org/ringproof.git .ringproof/source", "apt-get -q -y install")
    assert os.path.isfile(os.path.join(project.work, job["cache"]["paths"][0], "key"))
    assert json.loads(project.result("code-quality.json")) == []


def case_gitlab_refuted(scratch, build):
    """GitLab: a refuted program fails the job, with its line for the merge request and its test for the pipeline"""
    project = Project(scratch, build, order="relaxed")
    code, log, _ = project.gitlab()
    assert code == 1, log
    finding, = json.loads(project.result("code-quality.json"))
    assert finding["location"] == {"path": "include/flag.hpp", "lines": {"begin": 6}}, finding
    suites = xml.etree.ElementTree.fromstring(project.result("junit.xml"))
    assert (suites.get("tests"), suites.get("failures")) == ("1", "1"), suites.attrib


def case_steps(scratch, build):
    """the steps alone: a wrong one, and a check before the install, are refused with a sentence"""
    project = Project(scratch, build)

    def step(*words, code, says):
        done = subprocess.run([os.path.join(TOP, "ci/ringproof-ci"), *words], cwd=project.work, env=project.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        assert done.returncode == code, done.stdout
        has(done.stdout, says)
        return done.stdout

    step(code=2, says="usage: ci/ringproof-ci STEP")
    step("frobnicate", code=2, says="no step 'frobnicate'")
    step("check", code=2, says="run the step install first")
    step("--help", code=0, says="RINGPROOF_FAIL_ON")
    assert step("key", code=0, says="ringproof-") == step("key", code=0, says=os.uname().machine)
    project.fake("cmake", "exit 1")
    step("install", code=2, says="CMake could not configure the checker")
    project.fake("cmake", "exit 0")
    step("install", code=0, says="built into")
    step("check", "--program", "flog", code=5, says="did you mean 'flag'?")


def case_docs(scratch, build):
    """docs/ci.md: every file and every command on the page works as the page says"""
    with open(os.path.join(TOP, "docs/ci.md"), encoding="utf-8") as file:
        page = file.read()
    project = Project(scratch, build)
    shutil.rmtree(project.work)
    os.makedirs(os.path.join(project.work, ".git"))
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", page, re.DOTALL):
        os.makedirs(os.path.dirname(os.path.join(project.work, name)), exist_ok=True)
        project.write(name, text)
    os.makedirs(os.path.join(project.work, ".ringproof"))
    os.symlink(TOP, os.path.join(project.work, ".ringproof/source"))
    project.environment["PATH"] = f"{project.environment['PATH']}:{build}/bin"
    lines = [line for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    assert len(lines) > 12, lines
    for line in lines:
        said = re.search(r"# exit code (\d+)", line)
        done = subprocess.run(["sh", "-c", line], cwd=project.work, env=project.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        assert done.returncode == (int(said.group(1)) if said else 0), f"{line}\n{done.stdout}"
    for name in ("page.html", "junit.xml", "findings.sarif", "summary.md", "gl.json", "results/index.html", "ringproof-results/index.html"):
        assert os.path.getsize(os.path.join(project.work, name)) > 0, name
    # What the page shows of the template stands in the template.
    shown, = re.findall(r"<!-- shown: ci/gitlab/ringproof.yml -->\n```yaml\n(.*?)```", page, re.DOTALL)
    with open(os.path.join(TOP, "ci/gitlab/ringproof.yml"), encoding="utf-8") as file:
        has(file.read(), *("#   " + line for line in shown.splitlines()))
    # The keys in the table are those that the reader knows.
    keys = re.findall(r"^\| `(\w+)` \| (.*?) \|", page.split("## 3.")[0], re.MULTILINE)
    project.write("ringproof.toml", "[[program]]\nfrobnicate = 1\n")
    done = subprocess.run(["ringproof", "check"], cwd=project.work, env=project.environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    known = re.search(r"a program has (.*)", done.stdout).group(1).split(", ")
    assert sorted(known) == sorted(key for key, of in keys if key != "budget"), (known, keys)


def case_builds(scratch, _build):
    """GitHub: the checker is really configured and built, and then checks"""
    project = Project(scratch, "", order="relaxed", real=True)
    runner, code = project.github()
    assert code == 1, runner.log
    has(runner.log, "built into", "::error file=include/flag.hpp,line=6")


def main():
    if len(sys.argv) != 3 or "case_" + sys.argv[1] not in globals():
        sys.exit(__doc__)
    if not shutil.which("dpkg-query"):
        print("this is not Debian: skipped")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        globals()["case_" + sys.argv[1]](os.path.realpath(scratch), sys.argv[2])


if __name__ == "__main__":
    main()
