// SPDX-License-Identifier: Apache-2.0
// Writes THIRD_PARTY_LICENSES: the licence of every package whose code may be inlined into the page.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));
const parts = [
  "The page reports/web/dist/index.html has code of these packages inside.\n" +
    "Written by licenses.mjs from the production dependencies in package-lock.json.\n",
];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path || entry.dev || entry.optional) continue;
  const folder = join(here, path);
  if (!existsSync(folder)) throw new Error(`${path} is not installed: run npm ci first`);
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `(the package has no licence file; its package.json says ${about.license})`;
  parts.push(`${"=".repeat(78)}\n${about.name} ${entry.version} (${about.license})\n\n${text.replace(/\r/g, "")}\n`);
}
writeFileSync(join(here, "THIRD_PARTY_LICENSES"), parts.join("\n"));
