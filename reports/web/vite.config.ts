// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { glossary } from "./glossary.mjs";

// One file with everything inside. Licence comments go to THIRD_PARTY_LICENSES, not into the page.
export default defineConfig({
  plugins: [glossary(), viteSingleFile({ removeViteModuleLoader: true })],
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: { target: "es2021", modulePreload: false, reportCompressedSize: false },
});
