// SPDX-License-Identifier: Apache-2.0
// Words of the glossary explain themselves under the pointer, at the focus, and by a tap.
import meanings from "virtual:glossary";
import { useEffect, useReducer, useState } from "preact/hooks";

const tipId = "glossary-tip";
let show: (at: HTMLElement | null, meaning: string) => void = () => {};

export function Term({ of, children }: { of: string; children?: any }) {
  const meaning = meanings[of] ?? "";
  const open = (e: { currentTarget: HTMLElement }) => show(e.currentTarget, meaning);
  const close = () => show(null, "");
  return (
    <button type="button" class="term" data-term={of} onMouseEnter={open} onMouseLeave={close} onFocus={open} onBlur={close} onClick={open}>{children ?? of}</button>
  );
}

/** The one tip of the page: outside of everything that scrolls, so that nothing cuts it off. */
export function GlossaryTip() {
  const [at, setAt] = useState<HTMLElement | null>(null);
  const [meaning, setMeaning] = useState("");
  const [, follow] = useReducer((n: number, _: void) => n + 1, 0);
  useEffect(() => {
    show = (element, text) => (setAt(element), setMeaning(text));
    const onKey = (e: KeyboardEvent) => e.key === "Escape" && show(null, "");
    const onScroll = () => follow(undefined); // it stays at its word, also when the focus brought that into view
    addEventListener("keydown", onKey);
    addEventListener("scroll", onScroll, { capture: true, passive: true });
    return () => (removeEventListener("keydown", onKey), removeEventListener("scroll", onScroll, { capture: true }));
  }, []);
  useEffect(() => {
    at?.setAttribute("aria-describedby", tipId);
    return () => at?.removeAttribute("aria-describedby");
  }, [at]);
  if (!at) return null;
  const box = at.getBoundingClientRect();
  if (!at.isConnected || box.bottom < 0 || box.top > innerHeight) return null;
  const width = Math.min(320, innerWidth - 24);
  const left = Math.max(12, Math.min(box.left, innerWidth - width - 12)), below = box.bottom < innerHeight * 0.7;
  return (
    <div role="tooltip" id={tipId} class="tip" style={{ width: `${width}px`, left: `${left}px`, ...(below ? { top: `${box.bottom + 6}px` } : { bottom: `${innerHeight - box.top + 6}px` }) }}>{meaning}</div>
  );
}
