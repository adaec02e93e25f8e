// SPDX-License-Identifier: Apache-2.0

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** 1234567 → "1 234 567", with thin spaces that do not break. */
export const count = (n: number | undefined): string => (n === undefined ? "" : whole.format(n).replace(/,/g, "\u202f"));

/** 2, "scenario" → "2 scenarios" */
export const plural = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;

export function seconds(s: number | undefined): string {
  if (s === undefined) return "";
  if (s < 1e-3) return `${(s * 1e6).toPrecision(3)} µs`;
  if (s < 1) return `${(s * 1e3).toPrecision(3)} ms`;
  if (s < 60) return `${s.toPrecision(3)} s`;
  return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
}

/** 12345678 → "12.3 M" */
export function si(n: number | undefined, unit = ""): string {
  if (n === undefined || !Number.isFinite(n)) return "";
  for (const [scale, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]] as const)
    if (Math.abs(n) >= scale) return `${(n / scale).toPrecision(3)} ${letter}${unit}`;
  return `${n.toPrecision(3)}${unit ? " " + unit : ""}`;
}

export const place = (file?: string | null, line?: number | null): string =>
  file ? (line ? `${file}:${line}` : file) : "";

/** The last part of a path, for columns; the whole is in the title. */
export const shortPlace = (file?: string | null, line?: number | null): string =>
  place(file?.split("/").pop(), line);

export const plain = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** A command line to paste into a POSIX shell. */
export const shell = (words: string[]): string =>
  words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`)).join(" ");

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

/** Nanoseconds with three digits, and no more than they are worth. */
export const nanos = (ns: number): string => (ns < 1000 ? ns.toPrecision(3) : count(ns));

/** A ratio, with three digits below ten. */
export const times = (ratio: number): string => (ratio < 10 ? ratio.toFixed(2) : ratio < 100 ? ratio.toFixed(1) : count(ratio));

/** No line ends within a grouped number. */
export const unbroken = (text: string): string => text.replace(/(\d)\s(?=\d{3})/g, "$1\u202f");
