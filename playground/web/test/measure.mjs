// SPDX-License-Identifier: Apache-2.0
// node measure.mjs [PAGE]: how large the page is, and how long until a verdict is seen. A measurement, no test.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launch, visit } from "./browser.mjs";
import { built, tree } from "./tools.mjs";

const file = built(process.argv[2] ?? join(tree, "out/playground/index.html"));
const kB = (bytes) => `${Math.round(bytes / 1000)} kB`;
const sized = (path) => `${kB(readFileSync(path).length)}, compressed by gzip ${kB(gzipSync(readFileSync(path), { level: 9 }).length)}`;
console.log(`page       ${sized(file)}`);
console.log(`simulator  ${sized(join(tree, "build/playground/wasm/simulator.wasm"))} (inside the page)`);

const browser = await launch(), runs = 9;
const median = (all) => Math.round(all.sort((a, b) => a - b)[all.length >> 1]);
const seen = (page) => page.waitForFunction(() => document.querySelector(".result:not(.stale) #verdict"));
const cold = [], warm = [], typed = [];
for (let i = 0; i < runs; ++i) {
  const { page, type, verdict, quiet } = await visit(browser, file);
  await seen(page);
  cold.push(await page.evaluate(() => performance.now())); // since the page was asked for
  for (let k = 0; k < 2; ++k) {
    const from = Date.now();
    await page.selectOption("#example", k ? "x86/SB" : "x86/IRIW");
    await verdict(k ? "Sometimes: 1 of 4" : "Never");
    warm.push(Date.now() - from);
  }
  const from = Date.now();
  await type("X86 N\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n");
  await verdict("Always");
  typed.push(Date.now() - from);
  await quiet();
}
console.log(`cold       ${median(cold)} ms from opening the page to the first verdict (median of ${runs})`);
console.log(`warm       ${median(warm)} ms from choosing an example to its verdict`);
console.log(`typed      ${median(typed)} ms from the last key to the verdict, 250 ms of which the page waits for another key`);
console.log(`in         ${browser.browserType().name()} ${browser.version()} on ${cpus().length} × ${cpus()[0].model}`);
await browser.close();
