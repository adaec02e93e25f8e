// SPDX-License-Identifier: Apache-2.0
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

export const web = fileURLToPath(new URL("..", import.meta.url));

/** Says why a test cannot run here; CTest counts exit code 77 as skipped. */
export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

export function need(packageName) {
  if (!existsSync(join(web, "node_modules", packageName))) skip(`${packageName} is missing: run npm ci --ignore-scripts --prefix reports/web`);
  return createRequire(join(web, "package.json"))(packageName);
}

export function chromiumPath() {
  const found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  return found ?? skip("no chromium: install Debian's package chromium");
}
