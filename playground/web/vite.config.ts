// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type Plugin, defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

const here = fileURLToPath(new URL(".", import.meta.url)), tree = join(here, "../..");
const built = process.env.RINGPROOF_PLAYGROUND ?? join(tree, "build/playground"); // where tools/playground puts what goes in

/** Modules that are made of files: the simulator, the examples, the ring's counterexamples. */
function inputs(): Plugin {
  const made: Record<string, () => string> = {
    "virtual:simulator": () => `export default ${JSON.stringify(gzipSync(readFileSync(join(built, "wasm/simulator.wasm")), { level: 9 }).toString("base64"))}`,
    "virtual:examples": () => {
      const listed = JSON.parse(readFileSync(join(here, "examples.json"), "utf8")) as { group: string; file: string; sentence: string }[];
      const examples = listed.map(({ group, file, sentence }) => ({
        id: file.replace(/\.litmus$/, ""), group, sentence, text: readFileSync(join(tree, "litmus/tests", file), "utf8").trimEnd() + "\n",
      }));
      return `export default ${JSON.stringify(examples)}`;
    },
    "virtual:ring": () => {
      const { results, sources, made } = JSON.parse(readFileSync(join(built, "ring.json"), "utf8"));
      return `export const results = ${JSON.stringify(results)}, sources = ${JSON.stringify(sources)}, made = ${JSON.stringify(made)}`;
    },
  };
  return {
    name: "ringproof-inputs",
    resolveId: (id) => (made[id] ? "\0" + id : undefined),
    load: (id) => made[id.slice(1)]?.(),
  };
}

// The words that the report's components explain.
const { glossary } = await import(join(tree, "reports/web/glossary.mjs"));

// One file with everything inside, as the report's page; that page's components find their packages here.
export default defineConfig({
  plugins: [inputs(), glossary(), viteSingleFile({ removeViteModuleLoader: true })],
  resolve: { dedupe: ["preact"] },
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  // The folder may be anybody's: what else is in it stays.
  build: { emptyOutDir: false, target: "es2022", modulePreload: false, reportCompressedSize: false, chunkSizeWarningLimit: 2000 },
});
