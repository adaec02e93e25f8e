// SPDX-License-Identifier: Apache-2.0
// A long table of which only the rows in view are in the document. Each item is a tbody: a row, and what it unfolds to.
import { Virtualizer, elementScroll, measureElement, observeElementOffset, observeElementRect } from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

const few = 60; // so many rows cost nothing

/** True while the page is being printed: paper shows everything. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(() => matchMedia("print").matches);
  useEffect(() => {
    const media = matchMedia("print"), follow = () => setPrinting(media.matches);
    const before = () => setPrinting(true), after = () => setPrinting(false);
    media.addEventListener("change", follow);
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => (media.removeEventListener("change", follow), removeEventListener("beforeprint", before), removeEventListener("afterprint", after));
  }, []);
  return printing;
}

interface Props<Item> {
  id: string;
  label: string;
  items: Item[];
  keyOf(item: Item): string;
  columns: number;
  estimate: number; // pixels a row
  head: ComponentChildren;
  caption?: ComponentChildren;
  row(item: Item): ComponentChildren; // one tr or more
}

export function LongTable<Item>({ id, label, items, keyOf, columns, estimate, head, caption, row }: Props<Item>) {
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((n: number, _: void) => n + 1, 0);
  const printing = usePrinting(), whole = items.length <= few || printing;
  const options = {
    count: items.length, overscan: 12, getScrollElement: () => box.current, estimateSize: () => estimate,
    getItemKey: (i: number) => (items[i] === undefined ? i : keyOf(items[i]!)),
    scrollToFn: elementScroll, observeElementRect, observeElementOffset, measureElement,
    initialRect: { width: 800, height: 600 }, onChange: () => redraw(undefined),
  };
  const virtual = useRef<Virtualizer<HTMLDivElement, HTMLElement>>();
  virtual.current ??= new Virtualizer<HTMLDivElement, HTMLElement>(options);
  const list = virtual.current;
  list.setOptions(options);
  useLayoutEffect(() => list._didMount(), []);
  useLayoutEffect(() => list._willUpdate());
  // A filter begins at its first match.
  useLayoutEffect(() => { if (box.current) box.current.scrollTop = 0; }, [items]);

  const shown = whole ? items.map((_, index) => ({ index, start: 0, end: 0 })) : list.getVirtualItems();
  const above = whole ? 0 : shown[0]?.start ?? 0, below = whole ? 0 : list.getTotalSize() - (shown[shown.length - 1]?.end ?? 0);
  const gap = (height: number) => (height > 0 ? <tbody class="gap" aria-hidden="true"><tr><td colSpan={columns} style={{ height: `${height}px` }} /></tr></tbody> : null);
  return (
    <div class="scroll window" ref={box} tabIndex={0} role="region" aria-label={label}>
      <table id={id} class="stack" aria-rowcount={items.length + 1}>
        {caption ? <caption>{caption}</caption> : null}
        <thead>{head}</thead>
        {gap(above)}
        {shown.map(({ index }) => items[index] === undefined ? null : (
          <tbody key={keyOf(items[index]!)} data-index={index} class="item" ref={whole ? undefined : (e: HTMLElement | null) => list.measureElement(e)}>{row(items[index]!)}</tbody>
        ))}
        {gap(below)}
      </table>
    </div>
  );
}
