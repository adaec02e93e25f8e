// SPDX-License-Identifier: Apache-2.0
/// <reference types="vite/client" />
// What vite.config.ts puts into the page.
declare module "virtual:simulator" {
  /** The WebAssembly module, compressed by gzip, in base64. */
  const base64: string;
  export default base64;
}
declare module "virtual:examples" {
  const examples: { id: string; group: string; sentence: string; text: string }[];
  export default examples;
}
declare module "virtual:ring" {
  import type { Report, VerifyResult } from "../../../reports/web/src/data";
  export const results: VerifyResult[];
  export const sources: NonNullable<Report["sources"]>;
  export const made: { command: string[]; version: string };
}
