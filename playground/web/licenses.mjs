// SPDX-License-Identifier: Apache-2.0
// node licenses.mjs OUTPUT: the licences of what the page has inside: npm packages, and what the simulator is compiled
// with, as Debian's packages have them.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));
const parts = ["The playground has code of these packages inside.\n"];
const add = (title, text) => parts.push(`${"=".repeat(78)}\n${title}\n\n${text.trim().replace(/\r/g, "")}\n`);
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path || entry.dev || entry.optional) continue;
  const file = readdirSync(join(here, path)).find((name) => /^(licen[cs]e|copying)/i.test(name));
  add(`${path.replace("node_modules/", "")} ${entry.version} (${entry.license})`, file ? readFileSync(join(here, path, file), "utf8") : `licence: ${entry.license}`);
}
for (const name of ["emscripten", "libfmt-dev", "nlohmann-json3-dev"]) {
  const file = `/usr/share/doc/${name}/copyright`;
  if (existsSync(file)) add(`${name} (headers and libraries compiled into the simulator)`, readFileSync(file, "utf8"));
}
writeFileSync(process.argv[2], parts.join("\n"));
