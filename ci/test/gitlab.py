# SPDX-License-Identifier: Apache-2.0
"""Runs a job of a GitLab template here: its variables and its scripts, line by line, until one fails."""

import os
import re
import subprocess

import yaml


def run_job(template, name, workspace, environment, variables):
    """Returns the exit code, the log, and the job as it was read."""
    with open(template, encoding="utf-8") as file:
        job = yaml.safe_load(file)[name]
    values = {"CI_PROJECT_DIR": workspace, **job["variables"], **variables}
    expanded = {key: re.sub(r"\$(\w+)", lambda found: values[found.group(1)], str(value)) for key, value in values.items()}
    script = "\n".join(job["before_script"] + job["script"])
    done = subprocess.run(["sh", "-e", "-c", script], cwd=workspace, env=dict(environment, **expanded), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    for kind, path in job["artifacts"]["reports"].items():
        if not os.path.isfile(os.path.join(workspace, path)):
            raise AssertionError(f"the job leaves no {path} for {kind}:\n{done.stdout}")
    return done.returncode, done.stdout, job
