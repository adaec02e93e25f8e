// SPDX-License-Identifier: Apache-2.0
// The counterexample explorer: step through the execution that proves a barrier is missing.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GraphEvent, Placed, Report, VerifyResult } from "./data";
import { place, plain, shell, shortPlace } from "./format";
import { Graph, isInitial, threadName, words } from "./graph";
import { relationsOf, termOf } from "./relations";
import { Term } from "./term";

type Sources = NonNullable<Report["sources"]>;

interface Props {
  sources: Sources;
  results: Placed<VerifyResult>[]; // those with a counterexample
  chosen: string;
  onChoose(key: string): void;
}

export function Explorer({ sources, results, chosen, onChoose }: Props) {
  const current = results.find((r) => r.key === chosen) ?? results[0];
  if (!current) return <p class="quiet">No counterexample: nothing was refuted.</p>;
  return (
    <>
      <label class="field">Counterexample
        <select id="explorer-choice" value={current.key} onChange={(e) => onChoose(e.currentTarget.value)}>
          {results.map(({ key, result }) => (
            <option key={key} value={key}>{`${result.mutant ? `without ${result.mutant} · ` : ""}${result.name} · ${result.model}`}</option>
          ))}
        </select>
      </label>
      <Execution key={current.key} placed={current} sources={sources} />
    </>
  );
}

const Icon = ({ path }: { path: string }) => <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d={path} fill="currentColor" /></svg>;

/** The source around an event, where the report was given it. */
function Source({ event, sources }: { event: GraphEvent; sources: Sources }) {
  const lines = Object.entries(sources[event.file ?? ""] ?? {})
    .map(([number, text]) => [Number(number), text] as const)
    .filter(([number]) => Math.abs(number - (event.line ?? 0)) <= 3)
    .sort(([a], [b]) => a - b);
  if (!lines.length) return null;
  return (
    <pre class="source" role="group" aria-label={`${place(event.file, event.line)} and the lines around it`} tabIndex={0}>
      {lines.map(([number, text]) => (
        <span key={number} class={number === event.line ? "line here" : "line"}><span class="number" aria-hidden="true">{number}</span>{text}{"\n"}</span>
      ))}
    </pre>
  );
}

/** How to see the execution again, and what found it. */
function Commands({ placed: { result, folder } }: { placed: Placed<VerifyResult> }) {
  const { replay, replay_command } = result.counterexample!;
  const again = replay_command ? shell(replay_command) : replay ? `ringproof verify --replay ${plain(replay)}` : "";
  const where = folder && folder !== "." ? <> in <code>{folder}</code></> : null;
  return (
    <>
      {again ? <p class="replay">Replay it{where}: <code id="replay-command">{again}</code></p> : null}
      {result.command ? <p class="replay">Found{where} by: <code id="found-command">{shell(result.command)}</code></p> : null}
    </>
  );
}

interface ExecutionProps {
  placed: Placed<VerifyResult>;
  sources: Sources;
  label?: string; // what it is an execution of
  draw?: string[]; // the relations drawn at first
  onEvent?(event: GraphEvent): void; // the current one
}

export function Execution({ placed, sources, label = "Counterexample", draw = ["po", "rf", "sw"], onEvent }: ExecutionProps) {
  const found = placed.result.counterexample!;
  const events = found.events;
  const last = events.length - 1;
  const [at, setAt] = useState({ found, step: last });
  const step = at.found === found ? at.step : last; // another execution begins at its end
  const relations = useMemo(() => relationsOf(found), [found]);
  const [shown, setShown] = useState(() => new Set(draw));
  const list = useRef<HTMLOListElement>(null);
  const threads = useMemo(() => {
    const all = [...new Set(events.map((e) => e.thread))].filter((t) => !isInitial(t));
    return all.sort((a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true })));
  }, [events]);
  const culprits = useMemo(() => new Set(found.culprits ?? events.slice(-1).map((e) => e.id)), [found]);
  const byId = useMemo(() => new Map(events.map((e, i) => [e.id, i])), [events]);

  const go = (to: number) => setAt({ found, step: Math.max(0, Math.min(last, to)) });
  useEffect(() => {
    // Only the list scrolls, never the page.
    const item = list.current?.children[step] as HTMLElement | undefined;
    if (item && list.current) list.current.scrollTop = item.offsetTop - list.current.clientHeight / 2;
  }, [step]);

  const onKeyDown = (e: KeyboardEvent) => {
    if (e.target instanceof HTMLInputElement && e.target.type === "checkbox" && !e.key.startsWith("Arrow")) return;
    const to = { ArrowRight: step + 1, ArrowDown: step + 1, ArrowLeft: step - 1, ArrowUp: step - 1, Home: 0, End: last }[e.key];
    if (to === undefined || e.altKey || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    go(to);
  };
  const toggle = (name: string) =>
    setShown((before) => {
      const after = new Set(before);
      if (!after.delete(name)) after.add(name);
      return after;
    });

  const event = events[step];
  useEffect(() => {
    if (event) onEvent?.(event);
  }, [event]);
  if (!event) return <p class="quiet">{found.kind}: {found.message} (no events were recorded)</p>;
  const source = event.rf != null ? byId.get(event.rf) : undefined;
  return (
    <div class="explorer" role="group" tabIndex={0} onKeyDown={onKeyDown} aria-label={`${label}; the arrow keys step through it`}>
      <p class="verdict"><strong>{found.kind}</strong> {found.message}</p>
      <div class="controls">
        <span class="buttons" role="group" aria-label="Step">
          <button type="button" id="step-first" onClick={() => go(0)} disabled={step === 0} aria-label="First step"><Icon path="M3 2h2v12H3zM14 2v12L6 8z" /></button>
          <button type="button" id="step-back" onClick={() => go(step - 1)} disabled={step === 0} aria-label="Step back"><Icon path="M12 2v12L4 8z" /></button>
          <button type="button" id="step-forward" onClick={() => go(step + 1)} disabled={step === last} aria-label="Step forward"><Icon path="M4 2v12l8-6z" /></button>
          <button type="button" id="step-last" onClick={() => go(last)} disabled={step === last} aria-label="Last step"><Icon path="M11 2h2v12h-2zM2 2v12l8-6z" /></button>
        </span>
        <output id="step-count">step {step + 1} of {events.length}</output>
        <span class="toggles" role="group" aria-label="Relations drawn">
          {[...relations.keys()].map((name) => (
            <span key={name} class={`toggle rel-${name in termOf ? name : "other"}`}>
              <input type="checkbox" aria-label={`draw ${name}`} checked={shown.has(name)} onChange={() => toggle(name)} data-relation={name} />
              {termOf[name] ? <Term of={termOf[name]!}>{name}</Term> : name}
            </span>
          ))}
        </span>
      </div>
      <p class="now-line" aria-live="polite" id="step-now">
        <b>{threadName(event.thread)}</b> {words(event)}
        {source !== undefined ? <> · read from <a href="#explorer" onClick={(e) => (e.preventDefault(), go(source))}>
          {`step ${source + 1}, ${threadName(events[source]!.thread)} ${words(events[source]!)}`}</a></> : null}
        {event.file ? <> · <code>{place(event.file, event.line)}</code></> : null}
      </p>
      <Source event={event} sources={sources} />
      <div class="explorer-body">
        <Graph events={events} threads={threads} relations={relations} shown={shown} step={step} culprits={culprits} onStep={go} />
        <ol class="steps" ref={list} aria-label="Events in the order in which they happened">
          {events.map((e, i) => (
            <li key={e.id} class={`${i === step ? "now" : i > step ? "future" : ""}${culprits.has(e.id) ? " culprit" : ""}`}>
              <button type="button" onClick={() => go(i)} aria-current={i === step ? "step" : undefined}>
                <span class="who">{threadName(e.thread)}</span>
                <span class="did">{words(e)}</span>
                <span class="where" title={place(e.file, e.line)}>{shortPlace(e.file, e.line)}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      <Commands placed={placed} />
    </div>
  );
}
