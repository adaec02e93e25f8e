// SPDX-License-Identifier: Apache-2.0
// What the part of the address after # says: a test and how to run it, or an example, or a counterexample of the ring.

export interface Shared { text: string; model: string; unroll: number }
export type Place =
  | { kind: "test"; shared: Shared }
  | { kind: "example"; id: string; model: string }
  | { kind: "ring"; letter: string }
  | { kind: "broken" };

const most = 1 << 20; // a link may unpack to so much text, and no more

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>).getReader();
  const parts: BlobPart[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value as BlobPart);
    if ((size += next.value.length) > most) throw new RangeError("too long");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function pack({ text, model, unroll }: Shared): Promise<string> {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const base64 = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
  const rest = `${model ? `&model=${encodeURIComponent(model)}` : ""}${unroll === 2 ? "" : `&unroll=${unroll}`}`;
  return `#test=${base64.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}${rest}`;
}

export async function unpack(hash: string): Promise<Place | null> {
  // A + is one: examples are called so.
  const said = new URLSearchParams(hash.slice(1).replace(/\+/g, "%2B")), model = said.get("model") ?? "";
  const example = said.get("example"), ring = said.get("ring"), test = said.get("test");
  if (ring !== null) return { kind: "ring", letter: ring };
  if (example !== null) return { kind: "example", id: example, model };
  if (test === null) return null;
  try {
    const bytes = Uint8Array.from(atob(test.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await through(new DecompressionStream("deflate-raw"), bytes));
    const unroll = Number(said.get("unroll") ?? 2);
    return { kind: "test", shared: { text, model, unroll: Number.isInteger(unroll) && unroll >= 0 && unroll <= 1000 ? unroll : 2 } };
  } catch {
    return { kind: "broken" };
  }
}
