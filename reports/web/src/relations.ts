// SPDX-License-Identifier: Apache-2.0
// The edges of an execution graph: those given, and po, rf and fr where they follow from the rest.
import type { Counterexample, GraphEvent } from "./data";

export type Pair = [number, number];

/** Their names in the glossary. */
export const termOf: Record<string, string> = {
  po: "program order (po)",
  rf: "reads-from (rf)",
  co: "coherence order (co, mo)",
  fr: "from-reads (fr)",
  sw: "synchronizes-with (sw)",
};

/** Without the edges that follow from two others, so that a total order is drawn as a chain. */
function reduced(pairs: Pair[]): Pair[] {
  const next = new Map<number, Set<number>>();
  for (const [a, b] of pairs) next.set(a, (next.get(a) ?? new Set()).add(b));
  const reaches = (from: number, to: number, seen = new Set<number>()): boolean => {
    for (const mid of next.get(from) ?? []) {
      if (mid === to) return true;
      if (!seen.has(mid) && (seen.add(mid), reaches(mid, to, seen))) return true;
    }
    return false;
  };
  if (pairs.length > 4000) return pairs;
  return pairs.filter(([a, b]) => ![...(next.get(a) ?? [])].some((mid) => mid !== b && mid !== a && reaches(mid, b)));
}

function programOrder(events: GraphEvent[]): Pair[] {
  const last = new Map<number | string, number>();
  const pairs: Pair[] = [];
  for (const event of events) {
    const before = last.get(event.thread);
    if (before !== undefined) pairs.push([before, event.id]);
    last.set(event.thread, event.id);
  }
  return pairs;
}

/** fr = rf⁻¹ ; co, to the next write only. */
function fromRead(rf: Pair[], co: Pair[]): Pair[] {
  const next = new Map<number, number[]>();
  for (const [a, b] of co) next.set(a, [...(next.get(a) ?? []), b]);
  return rf.flatMap(([w, r]) => (next.get(w) ?? []).filter((later) => later !== r).map((later): Pair => [r, later]));
}

export function relationsOf(found: Counterexample): Map<string, Pair[]> {
  const ids = new Set(found.events.map((event) => event.id));
  const relations = new Map<string, Pair[]>();
  const given = found.relations ?? {};
  for (const name of ["po", "rf", "co", "fr", "sw", ...Object.keys(given)])
    if (!relations.has(name))
      relations.set(name, (given[name] ?? []).filter(([a, b]) => ids.has(a) && ids.has(b) && a !== b));
  if (!relations.get("po")!.length) relations.set("po", programOrder(found.events));
  if (!relations.get("rf")!.length)
    relations.set("rf", found.events.flatMap((e): Pair[] => (e.rf != null && ids.has(e.rf) ? [[e.rf, e.id]] : [])));
  for (const name of ["po", "co"]) relations.set(name, reduced(relations.get(name)!));
  if (!relations.get("fr")!.length) relations.set("fr", fromRead(relations.get("rf")!, relations.get("co")!));
  for (const [name, pairs] of relations) if (!pairs.length) relations.delete(name);
  return relations;
}
