// SPDX-License-Identifier: Apache-2.0
// node agreement.mjs SIMULATOR.wasm RINGPROOF-LITMUS TESTS: what the page computes is what the command computes, for
// every test under every model that is for it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instantiate } from "../src/simulator.mjs";
import { built } from "./tools.mjs";

const [wasm, program, tests] = process.argv.slice(2);
const answer = instantiate(new WebAssembly.Module(readFileSync(built(wasm))));

/** What the command finds, by file; under each test's own model if none is named. */
function native(...options) {
  const folder = mkdtempSync(join(tmpdir(), "ringproof-playground-")), file = join(folder, "litmus.json");
  const ran = spawnSync(program, [tests, "--quiet", ...options, "--json", file], { encoding: "utf8" });
  assert.ok(ran.status === 0 || ran.status === 1, ran.stderr); // 1: some claims do not hold under some models
  const { results } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true });
  return results;
}

/** But for how long it took, and what only the page is told. */
function facts({ file, seconds, models, executions, ...rest }) {
  return rest;
}

let observations = 0, compared = 0;
const ours = native(), models = new Map();
for (const result of ours) {
  const said = JSON.parse(answer(readFileSync(result.file, "utf8"), "", 2));
  assert.deepEqual(facts(said), facts(result), result.file);
  assert.equal(said.executions.length > 0, said.states.length > 0, result.file);
  models.set(result.file, said.models);
  ++observations;
}
for (const model of new Set([...models.values()].flat()))
  for (const result of native("--model", model)) {
    if (!models.get(result.file)?.includes(model)) continue;
    assert.deepEqual(facts(JSON.parse(answer(readFileSync(result.file, "utf8"), model, 2))), facts(result), `${result.file} under ${model}`);
    ++compared;
  }
assert.ok(observations > 100, `only ${observations} tests in ${tests}`);

// What cannot be simulated is answered, and the module lives on.
const nested = (n) => `X86 N\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (${"(".repeat(n)}x=1${")".repeat(n)})`;
const inC = (code) => `C N\n{ }\nP0(atomic_int *x) {\n  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n  ${code}\n}\nexists (0:r0=1)`;
const deep = 100000;
for (const [text, words] of [
  ["", /expected/],
  [inC("\xc3\x28"), /./],
  [nested(deep), /nested|deep/],
  [inC(`r0 = ${"(".repeat(deep)}1${")".repeat(deep)};`), /nested|deep/],
  [inC(`r0 = ${"!".repeat(deep)}1;`), /nested|deep/],
  [inC(`${"if (r0 == 1) { ".repeat(deep)}${"}".repeat(deep)}`), /nested|deep/],
]) {
  const said = JSON.parse(answer(text, "", 2));
  assert.equal(said.verdict, "error");
  assert.match(said.message, words);
}
assert.equal(JSON.parse(answer(nested(3), "", 2)).observation, "Always");
console.log(`${observations} of ${ours.length} tests have the command's observation; ${compared} results under all models that are for them are equal`);
