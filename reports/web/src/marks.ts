// SPDX-License-Identifier: Apache-2.0
/** Colour is never the only sign of an outcome. */
export const marks: Record<string, string> = { ok: "✓", passed: "✓", failed: "✗", error: "✗", inconclusive: "?", skipped: "–", empty: "–" };
