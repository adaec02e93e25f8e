// SPDX-License-Identifier: Apache-2.0
// node ring.mjs RINGPROOF-VERIFY TREE OUTPUT: finds what goes wrong when a barrier of the ring is missing, and stores
// those executions with the lines of source that they name.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";

const [program, tree, output] = process.argv.slice(2);
const scenarios = ["spsc_queue: items arrive once and in order", "record_ring, one producer: records arrive whole", "record_ring, two producers: records arrive whole"];
const options = ["--model", "rc11", "--shortest"];

/** As this tree has it, whatever folder it was compiled in; what is not of this tree stays as it is. */
function here(file) {
  const parts = file ? normalize(file).split("/") : [];
  for (let i = 0; i + 1 < parts.length; ++i)
    if (parts[i] && parts[i] !== ".." && existsSync(join(tree, ...parts.slice(i)))) return parts.slice(i).join("/");
  return file;
}

const folder = mkdtempSync(join(tmpdir(), "ringproof-ring-"));
const file = join(folder, "verify.json");
const ran = spawnSync(program, [...scenarios, ...options, "--json", file], { encoding: "utf8", cwd: tree });
if (ran.status !== 0) {
  process.stderr.write(`${ran.stdout}${ran.stderr}`);
  console.error(`ring: ${program} ended with ${ran.status ?? ran.error}: the weakened rings are expected to be refuted, and all others verified`);
  process.exit(1);
}
const document = JSON.parse(readFileSync(file, "utf8"), (key, value) => (key === "file" ? here(value) : value));
rmSync(folder, { recursive: true });

const place = ({ name }) => scenarios.findIndex((begin) => name.startsWith(begin));
// What the page shows, and nothing of this machine or this run: the same tree gives the same page.
const results = document.results
  .filter((r) => r.verdict === "refuted" && r.counterexample && /^[A-D]$/.test(r.mutant ?? ""))
  .sort((a, b) => a.mutant.localeCompare(b.mutant) || place(a) - place(b)) // letter by letter
  .map(({ name, model, verdict, expected, mutant, executions, counterexample: { kind, message, events, culprits, relations, replay } }) => ({
    name, model, verdict, expected, mutant, executions,
    counterexample: { kind, message, culprits, relations, replay, events },
  }));
for (const letter of "ABCD")
  if (!results.some((r) => r.mutant === letter)) {
    console.error(`ring: no scenario is refuted without ${letter}: were they renamed? See the list in playground/ring.mjs`);
    process.exit(1);
  }

const sources = {};
for (const { file, line } of results.flatMap((r) => r.counterexample.events))
  if (file && line && existsSync(join(tree, file))) {
    const lines = readFileSync(join(tree, file), "utf8").split("\n");
    for (let n = Math.max(1, line - 3); n <= Math.min(lines.length, line + 3); ++n) (sources[file] ??= {})[n] = lines[n - 1];
  }
writeFileSync(output, JSON.stringify({ results, sources, made: { command: ["ringproof", "verify", ...scenarios, ...options], version: document.tool.version } }));
