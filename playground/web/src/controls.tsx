// SPDX-License-Identifier: Apache-2.0
// What stands above and below the editor: examples, model, rounds of loops, run, stop, link.
import examples from "virtual:examples";
import { useState } from "preact/hooks";
import { models } from "./words";

const groups = [...new Set(examples.map((e) => e.group))];
const nameOf = (id: string) => id.split("/").pop();

export function Examples({ text, onChoose }: { text: string; onChoose(text: string): void }) {
  const current = examples.find((e) => e.text === text)?.id ?? "";
  return (
    <label class="field grow">Example
      <select id="example" value={current} onChange={(e) => onChoose(examples.find(({ id }) => id === e.currentTarget.value)!.text)}>
        {current ? null : <option value="" disabled>your own test</option>}
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            {examples.filter((e) => e.group === group).map((e) => <option key={e.id} value={e.id}>{`${nameOf(e.id)} · ${e.sentence}`}</option>)}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

function CopyLink() {
  const [said, setSaid] = useState("");
  const copy = () =>
    Promise.resolve(navigator.clipboard?.writeText(location.href)).then(
      () => setSaid(navigator.clipboard ? "Copied" : "The address of this page is the link"),
      () => setSaid("The address of this page is the link"));
  return (
    <>
      <button type="button" id="copy-link" class="plain-button" onClick={copy} onBlur={() => setSaid("")}>Copy link</button>
      <output class="small" id="copied" aria-live="polite">{said}</output>
    </>
  );
}

interface Props {
  fitting: string[];
  model: string;
  unroll: number;
  running: boolean;
  onModel(model: string): void;
  onUnroll(rounds: number): void;
  onRun(): void;
  onStop(): void;
}

export function Controls({ fitting, model, unroll, running, onModel, onUnroll, onRun, onStop }: Props) {
  return (
    <>
      <div class="filters settings">
        <label class="field">Model
          <select id="model" value={model} onChange={(e) => onModel(e.currentTarget.value)}>
            {fitting.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
        <label class="field" title="A loop goes round so often, at most">Loop rounds
          <input id="unroll" type="number" min="0" max="1000" step="1" value={unroll}
            onInput={(e) => e.currentTarget.validity.valid && e.currentTarget.value && onUnroll(Number(e.currentTarget.value))} />
        </label>
        <span class="pair">
          <button type="button" id="run" class="plain-button" onClick={onRun} title="Ctrl+Enter">Run</button>
          <button type="button" id="stop" class="plain-button" onClick={onStop} disabled={!running} title="Escape">Stop</button>
        </span>
        <CopyLink />
      </div>
      <p class="quiet small about-model">{models[model] ?? ""}</p>
    </>
  );
}
