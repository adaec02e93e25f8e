// SPDX-License-Identifier: Apache-2.0
// node rebuild.mjs FOLDER: type-checks the page's source, builds it anew and compares it with what is checked in.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { skip, web } from "./tools.mjs";

const folder = process.argv[2];
for (const tool of ["typescript/bin/tsc", "vite/bin/vite.js"])
  if (!existsSync(join(web, "node_modules", tool))) skip(`${tool} is missing: run npm ci --ignore-scripts --prefix reports/web`);

const run = (tool, ...args) => execFileSync(process.execPath, [join(web, "node_modules", tool), ...args], { cwd: web, stdio: "inherit" });
rmSync(folder, { recursive: true, force: true });
run("typescript/bin/tsc", "--noEmit");
run("vite/bin/vite.js", "build", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn");

const wrong = [];
if (readFileSync(join(folder, "index.html"), "utf8") !== readFileSync(join(web, "dist/index.html"), "utf8"))
  wrong.push("dist/index.html is not what src/ builds: run npm run build in reports/web and commit it");
const lock = readFileSync(join(web, "package-lock.json"), "utf8");
if (/"resolved"/.test(lock)) wrong.push("package-lock.json names a registry: set omit-lockfile-registry-resolved");
for (const [path, entry] of Object.entries(JSON.parse(lock).packages))
  if (path && !entry.dev && !entry.optional) {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (!readFileSync(join(web, "THIRD_PARTY_LICENSES"), "utf8").includes(`\n${name} ${entry.version} (`))
      wrong.push(`THIRD_PARTY_LICENSES lacks ${name} ${entry.version}: run npm run build`);
  }
for (const line of wrong) console.error(line);
process.exit(wrong.length ? 1 : 0);
