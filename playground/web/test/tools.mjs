// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { skip } from "../../../reports/web/test/tools.mjs";

export const web = fileURLToPath(new URL("..", import.meta.url));
export const tree = fileURLToPath(new URL("../../..", import.meta.url));

/** What tools/playground has built, or skips the test with what to install. */
export const built = (file) => (existsSync(file) ? file : skip(`${file} is not built: tools/playground says what is missing`));

export function need(name) {
  if (!existsSync(join(web, "node_modules", name))) skip(`${name} is missing: run tools/playground, which fetches it`);
  return createRequire(join(web, "package.json"))(name);
}

export const example = (file) => readFileSync(join(tree, "litmus/tests", file), "utf8");
