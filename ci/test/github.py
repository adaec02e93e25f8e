# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of a composite action here, as GitHub's runner does. What it does not know is an error."""

import json
import os
import re
import shutil
import subprocess

import yaml


class Runner:
    """A job of GitHub's: a working folder, a cache that outlives the job, and what the steps have left."""

    def __init__(self, action, workspace, store, environment):
        self.path = action
        self.workspace = workspace
        self.store = store  # cache: a folder with one folder a key
        self.environment = environment
        with open(action, encoding="utf-8") as file:
            self.action = yaml.safe_load(file)
        self.outputs, self.log, self.uploaded, self.sarif = {}, "", [], None
        self.failed = False
        self.to_save = None
        self.summary = os.path.join(workspace, ".summary")

    def value(self, expression):
        """Of steps.ID.outputs.NAME and inputs.NAME."""
        words = expression.strip().split(".")
        if words[0] == "inputs" and len(words) == 2:
            return self.inputs[words[1]]
        if words[0] == "steps" and words[2] == "outputs":
            return self.outputs.get(words[1], {}).get(words[3], "")
        raise ValueError(f"unknown expression {expression}")

    def text(self, template):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda found: self.value(found.group(1)), str(template))

    def holds(self, condition):
        """success() where there is no condition; otherwise terms of always() and comparisons, joined by &&."""
        if condition is None:
            return not self.failed
        terms = [term.strip() for term in condition.split("&&")]
        result = not self.failed or "always()" in terms
        for term in terms:
            if term != "always()":
                name, wanted = re.fullmatch(r"(\S+) == '([^']*)'", term).groups()
                result = result and self.value(name) == wanted
        return result

    def run_script(self, step):
        output = os.path.join(self.workspace, ".output")
        open(output, "w").close()
        environment = dict(self.environment, GITHUB_ACTIONS="true", GITHUB_OUTPUT=output, GITHUB_STEP_SUMMARY=self.summary,
                           GITHUB_ACTION_PATH=os.path.dirname(self.path), GITHUB_WORKSPACE=self.workspace)
        environment.update({name: self.text(value) for name, value in step.get("env", {}).items()})
        if step["shell"] != "sh":
            raise ValueError(f"unknown shell {step['shell']}")
        done = subprocess.run(["sh", "-e", "-c", self.text(step["run"])], cwd=self.workspace, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.log += done.stdout
        with open(output, encoding="utf-8") as file:
            self.outputs[step.get("id", "")] = dict(line.rstrip("\n").split("=", 1) for line in file)
        self.failed = self.failed or done.returncode != 0
        return done.returncode

    def use(self, step):
        name, given = step["uses"].split("@")[0], {key: self.text(value) for key, value in step["with"].items()}
        if name == "actions/cache":
            kept, folder = os.path.join(self.store, given["key"]), os.path.join(self.workspace, given["path"])
            if os.path.isdir(kept):
                shutil.copytree(kept, folder)
            else:
                self.to_save = (folder, kept)
        elif name == "actions/upload-artifact":
            folder = os.path.join(self.workspace, given["path"])  # where there is none, GitHub warns
            self.uploaded = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        elif name == "github/codeql-action/upload-sarif":
            with open(os.path.join(self.workspace, given["sarif_file"]), encoding="utf-8") as file:
                self.sarif = json.load(file)
        else:
            raise ValueError(f"unknown action {name}")

    def run(self, **inputs):
        """All steps. Returns the exit code of the last one that failed, or 0."""
        known = self.action["inputs"]
        self.inputs = {name: about["default"] for name, about in known.items()}
        self.inputs.update({name.replace("_", "-"): value for name, value in inputs.items()})
        if set(self.inputs) != set(known):
            raise ValueError(f"unknown input among {sorted(self.inputs)}")
        code = 0
        for step in self.action["runs"]["steps"]:
            if not self.holds(step.get("if")):
                continue
            if "uses" in step:
                self.use(step)
            else:
                code = self.run_script(step) or code
        if self.to_save and not self.failed:
            shutil.copytree(*self.to_save)
        self.result = {name: self.text(about["value"]) for name, about in self.action["outputs"].items()}
        return code
