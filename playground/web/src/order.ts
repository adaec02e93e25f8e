// SPDX-License-Identifier: Apache-2.0
// In which order an execution's events are shown, and whether its threads can have taken turns.
import type { Execution } from "./simulation";

type Edge = [number, number, string];

const edgesOf = (x: Execution, names: string[]): Edge[] =>
  names.flatMap((name) => (x.relations[name] ?? []).map(([a, b]): Edge => [a, b, name]));

/** An order of all events that keeps the edges, as near to the given one as that allows; null if they go in a circle. */
function sorted(x: Execution, edges: Edge[]): number[] | null {
  const order: number[] = [], left = x.events.map((e) => e.id);
  while (left.length) {
    const at = left.findIndex((id) => !edges.some(([a, b]) => b === id && a !== id && left.includes(a)));
    if (at < 0) return null;
    order.push(...left.splice(at, 1));
  }
  return order;
}

/** The shortest way round: breadth first from each event. */
function cycle(x: Execution, edges: Edge[]): Edge[] {
  let best: Edge[] = [];
  for (const { id: start } of x.events) {
    const came = new Map<number, Edge>(), queue = [start];
    for (let at = queue.shift(); at !== undefined && !came.has(start); at = queue.shift())
      for (const edge of edges)
        if (edge[0] === at && !came.has(edge[1])) came.set(edge[1], edge), queue.push(edge[1]);
    const way: Edge[] = [];
    for (let edge = came.get(start); edge; edge = edge[0] === start ? undefined : came.get(edge[0])) way.unshift(edge);
    if (way.length && (!best.length || way.length < best.length)) best = way;
  }
  return best;
}

export interface Shown {
  order: number[]; // ids, from first to last
  cycle: Edge[]; // empty: in this order, one after the other, the events give this execution
}

export function shownOrder(x: Execution): Shown {
  const all = edgesOf(x, ["po", "rf", "co", "fr"]), turns = sorted(x, all);
  if (turns) return { order: turns, cycle: [] };
  // Each value comes from above, at least; where values go in a circle, too, thread after thread.
  const order = sorted(x, edgesOf(x, ["po", "rf"])) ?? sorted(x, edgesOf(x, ["po"])) ?? x.events.map((e) => e.id);
  return { order, cycle: cycle(x, all) };
}
