// SPDX-License-Identifier: Apache-2.0
// The words that the page explains, from docs/glossary.md when the page is built. Only those in src/terms.json go into the
// page, so that other changes of the glossary leave it alone. A word that the glossary lacks stops the build.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const wanted = fileURLToPath(new URL("src/terms.json", import.meta.url));

/** The page may move within docs/. */
function glossaryFile() {
  const found = readdirSync(docs, { recursive: true }).filter((name) => /(^|[\\/])glossary\.md$/.test(name));
  if (found.length !== 1) throw new Error(`docs/ has ${found.length} files glossary.md; the page needs one`);
  return join(docs, found[0]);
}

/** Rows of its tables, without marks and links. */
export function entriesOf(markdown) {
  const plain = (cell) => cell.trim().replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "").replace(/\\\|/g, "|");
  const rows = markdown.split("\n").filter((line) => line.startsWith("| ")).map((line) => line.slice(1, line.lastIndexOf("|")).split(/(?<!\\)\|/));
  return new Map(rows.filter((cells) => cells.length === 2).map(([word, is]) => [plain(word), plain(is)]));
}

export function glossary() {
  const name = "virtual:glossary";
  return {
    name: "glossary",
    resolveId: (id) => (id === name ? "\0" + name : undefined),
    load(id) {
      if (id !== "\0" + name) return undefined;
      const file = glossaryFile(), entries = entriesOf(readFileSync(file, "utf8"));
      const terms = JSON.parse(readFileSync(wanted, "utf8"));
      this.addWatchFile(file);
      const missing = terms.filter((term) => !entries.has(term));
      if (missing.length) throw new Error(`glossary.md does not explain: ${missing.join("; ")}. src/terms.json asks for it`);
      return `export default ${JSON.stringify(Object.fromEntries(terms.map((term) => [term, entries.get(term)])))};`;
    },
  };
}
