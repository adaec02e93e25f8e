// SPDX-License-Identifier: Apache-2.0
// Makes pages with the program and opens them in Chromium, where every request but that for the page itself is refused.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromiumPath, need } from "./tools.mjs";

export const [program, data, output] = process.argv.slice(2);
const { chromium } = need("playwright-core");
const executablePath = chromiumPath();
mkdirSync(output, { recursive: true });

export function make(name, expected, ...documents) {
  const folder = join(output, name);
  const ran = spawnSync(program, [...documents.map((d) => (d.endsWith(".json") && !isAbsolute(d) ? join(data, d) : d)), "-o", folder], { encoding: "utf8" });
  assert.equal(ran.status, expected, ran.stderr);
  return pathToFileURL(join(folder, "index.html")).href;
}
export const sample = (name) => JSON.parse(readFileSync(join(data, name), "utf8"));

const browser = await chromium.launch({
  executablePath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

export async function visit(url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const seen = { requests: [], errors: [], dialogs: [] };
  await context.route("**/*", (route) => {
    const wanted = route.request().url();
    if (wanted === url) return route.continue();
    seen.requests.push(wanted);
    return route.abort();
  });
  const page = await context.newPage();
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && seen.errors.push(m.text()));
  page.on("pageerror", (e) => seen.errors.push(e.message));
  page.on("dialog", (d) => (seen.dialogs.push(d.message()), d.dismiss()));
  await page.goto(url);
  await page.waitForSelector("#headline");
  /** Nothing was asked of the network, and nothing complained. */
  const quiet = async () => {
    await page.waitForTimeout(100);
    assert.deepEqual(seen, { requests: [], errors: [], dialogs: [] });
    await context.close();
  };
  return { page, quiet };
}

/** Runs them all, whatever fails, and ends the process. */
export async function run(tests) {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      console.log(`ok      ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}
