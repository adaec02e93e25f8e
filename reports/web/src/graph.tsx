// SPDX-License-Identifier: Apache-2.0
// The execution as a picture: a column a thread, a row an event, in the order in which they happened.
import { useEffect, useRef } from "preact/hooks";
import type { GraphEvent } from "./data";
import { plain, shortPlace } from "./format";
import type { Pair } from "./relations";

const column = 236, row = 46, top = 34, box = { width: 196, height: 34 };

export const isInitial = (thread: number | string): boolean =>
  thread === "init" || thread === "initial" || (typeof thread === "number" && thread < 0);

export const threadName = (thread: number | string): string =>
  typeof thread !== "number" ? thread : thread < 0 ? "initial" : thread === 0 ? "main" : `T${thread}`;

export function words(event: GraphEvent): string {
  if (event.label) return event.label;
  const order = event.order && event.order !== "plain" && event.order !== "na" ? ` ${event.order}` : "";
  const value = event.value === null || event.value === undefined ? "" : ` = ${plain(event.value)}`;
  return `${event.kind}${order}${event.location ? ` ${event.location}` : ""}${value}`;
}

const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most - 1) + "…" : text);

interface Props {
  events: GraphEvent[];
  threads: (number | string)[];
  relations: Map<string, Pair[]>;
  shown: Set<string>;
  step: number;
  culprits: Set<number>;
  onStep(step: number): void;
}

export function Graph({ events, threads, relations, shown, step, culprits, onStep }: Props) {
  // Initial values stand side by side above the threads; below, each event has a row of its own.
  const initial = events.filter((e) => isInitial(e.thread)), columns = Math.max(threads.length, 1);
  const lanes = initial.length ? top / 2 + Math.ceil(initial.length / columns) * row : 0;
  const at = new Map<number, { x: number; y: number; i: number }>();
  let rows = 0;
  events.forEach((event, i) => {
    const k = initial.indexOf(event);
    const x = (k < 0 ? threads.indexOf(event.thread) : k % columns) * column + column / 2;
    const y = k < 0 ? lanes + top + rows++ * row + row / 2 : 10 + Math.floor(k / columns) * row + row / 2;
    at.set(event.id, { x, y, i });
  });
  const width = columns * column, height = lanes + top + rows * row + 12;

  // A long execution is taller than its window: keep the current event in view, without moving the page.
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = view.current, svg = box?.firstElementChild, event = events[step];
    if (!box || !svg || !event) return;
    const centre = () => {
      const scale = svg.getBoundingClientRect().width / width, { x, y } = at.get(event.id)!;
      box.scrollTop = y * scale - box.clientHeight / 2;
      box.scrollLeft = x * scale - box.clientWidth / 2;
    };
    const watch = new ResizeObserver(centre); // it may be laid out later, or anew
    watch.observe(svg);
    centre();
    return () => watch.disconnect();
  }, [step, events]);

  const edge = (name: string, [a, b]: Pair, i: number) => {
    const from = at.get(a), to = at.get(b);
    if (!from || !to) return null;
    const future = from.i > step || to.i > step;
    let path: string;
    if (from.x === to.x) {
      if (Math.abs(from.y - to.y) === row && name === "po") {
        const down = to.y > from.y ? 1 : -1;
        path = `M${from.x},${from.y + down * 17}L${to.x},${to.y - down * 21}`;
      } else {
        // Beside the boxes, po to the left and the others to the right.
        const side = name === "po" ? -1 : 1, x = from.x + side * (box.width / 2), bend = x + side * 22;
        path = `M${x},${from.y}C${bend},${from.y} ${bend},${to.y} ${x + side * 4},${to.y}`;
      }
    } else {
      // Each relation leaves and arrives at a height of its own, so that none hides another.
      const right = to.x > from.x ? 1 : -1, lane = ["rf", "sw", "fr", "co"].indexOf(name), offset = lane < 0 ? 11 : lane * 6 - 8;
      const x1 = from.x + right * (box.width / 2), x2 = to.x - right * (box.width / 2 + 4), bend = right * (38 - 5 * lane);
      path = `M${x1},${from.y + offset}C${x1 + bend},${from.y + offset} ${x2 - bend},${to.y + offset} ${x2},${to.y + offset}`;
    }
    return (
      <path key={`${name}${i}`} class={`edge rel-${/^(po|rf|co|fr|sw)$/.test(name) ? name : "other"}${future ? " future" : ""}`}
        data-relation={name} d={path} marker-end="url(#arrow)"><title>{`${name}: ${a} → ${b}`}</title></path>
    );
  };

  return (
    <div class="graph-scroll" ref={view} tabIndex={0} role="group" aria-label="Execution graph, scrolls">
      <svg class="graph" style={{ maxWidth: `${width}px`, minWidth: `${columns * 152}px` }} viewBox={`0 0 ${width} ${height}`} role="img"
        aria-label={`Execution graph of ${events.length} events in ${threads.length} threads; the list beside it says the same`}>
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
            <path d="M0,0.6L8,4L0,7.4z" fill="context-stroke" />
          </marker>
        </defs>
        {threads.map((thread, i) => (
          <g key={i}>
            <text class="thread" x={i * column + column / 2} y={lanes + 20} text-anchor="middle">{threadName(thread)}</text>
            <line class="lane" x1={i * column + column / 2} x2={i * column + column / 2} y1={lanes + top} y2={height - 6} />
          </g>
        ))}
        {events.map((event, i) => {
          const { x, y } = at.get(event.id)!;
          const state = i === step ? "now" : i > step ? "future" : "past";
          return (
            <g key={event.id} class={`event ${state}${culprits.has(event.id) ? " culprit" : ""}`} onClick={() => onStep(i)}>
              <title>{words(event)}</title>
              <rect x={x - box.width / 2} y={y - box.height / 2} width={box.width} height={box.height} rx="7" />
              <text x={x} y={y - 2} text-anchor="middle">{cut(words(event), 27)}</text>
              <text class="where" x={x} y={y + 12} text-anchor="middle">{cut(shortPlace(event.file, event.line), 34)}</text>
            </g>
          );
        })}
        {[...relations].filter(([name]) => shown.has(name)).map(([name, pairs]) => pairs.map((pair, i) => edge(name, pair, i)))}
      </svg>
    </div>
  );
}
