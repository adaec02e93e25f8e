// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from "preact/hooks";
import { ThemeButton } from "./theme";
import { Barriers } from "./barriers";
import { Bench } from "./bench";
import { type Benchmark, type LitmusResult, type Report, type VerifyResult, resultsOf } from "./data";
import { Explorer } from "./explorer";
import { Litmus } from "./litmus";
import { Machine } from "./machine";
import { Overview, marks } from "./overview";
import { Scenarios } from "./scenarios";

function Section({ id, title, children, lead }: { id: string; title: string; lead?: string; children: any }) {
  return <section id={id} aria-labelledby={`${id}-title`}><h2 id={`${id}-title`}>{title}</h2>{lead ? <p class="lead">{lead}</p> : null}{children}</section>;
}

const chosenByHash = () => /^#counterexample-(\d+-\d+)$/.exec(location.hash)?.[1] ?? "";

export function App({ report }: { report: Report }) {
  const [chosen, setChosen] = useState(chosenByHash);
  const [verify, litmus, bench] = useMemo(() => [resultsOf<VerifyResult>(report, "verify"), resultsOf<LitmusResult>(report, "litmus"), resultsOf<Benchmark>(report, "bench")] as const, [report]);
  const withCounterexample = verify.filter((v) => v.result.counterexample);

  const show = () => {
    const section = document.getElementById("explorer");
    section?.scrollIntoView();
    section?.querySelector<HTMLElement>(".explorer")?.focus({ preventScroll: true });
  };
  const open = (key: string) => {
    setChosen(key);
    history.replaceState(null, "", `#counterexample-${key}`);
    requestAnimationFrame(show);
  };
  useEffect(() => {
    if (chosen) requestAnimationFrame(show);
    const follow = () => chosenByHash() && (setChosen(chosenByHash()), requestAnimationFrame(show));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);

  const sections: [string, string, boolean][] = [
    ["barriers", "Barriers", report.summary.barriers.length > 0], ["scenarios", "Scenarios", verify.length > 0],
    ["explorer", "Counterexamples", withCounterexample.length > 0], ["litmus", "Litmus", litmus.length > 0],
    ["bench", "Benchmarks", bench.length > 0], ["machine", "Machine", true],
  ];
  return (
    <>
      <header class="top">
        <a class="brand" href="#overview">ringproof</a>
        <span class={`pill ${report.summary.status}`}><span aria-hidden="true">{marks[report.summary.status]}</span> {report.summary.status}</span>
        <nav aria-label="Sections">{sections.filter(([, , there]) => there).map(([id, title]) => <a key={id} href={`#${id}`}>{title}</a>)}</nav>
        <ThemeButton />
      </header>
      <main>
        <Overview report={report} />
        {report.summary.barriers.length ? <Section id="barriers" title="Which barrier is needed where"><Barriers barriers={report.summary.barriers} onOpen={open} /></Section> : null}
        {verify.length ? <Section id="scenarios" title="Scenarios" lead="Every execution of each scenario was explored under its model, within the bounds shown."><Scenarios results={verify} onOpen={open} /></Section> : null}
        {withCounterexample.length ? <Section id="explorer" title="Counterexamples" lead="One execution, event by event. The arrow keys step."><Explorer sources={report.sources ?? {}} results={withCounterexample} chosen={chosen} onChoose={(key) => { setChosen(key); history.replaceState(null, "", `#counterexample-${key}`); }} /></Section> : null}
        {litmus.length ? <Section id="litmus" title="Litmus tests"><Litmus results={litmus} /></Section> : null}
        {bench.length ? <Section id="bench" title="Benchmarks"><Bench report={report} ratios={report.summary.ratios} /></Section> : null}
        <Section id="machine" title="Machine and documents"><Machine report={report} /></Section>
      </main>
      <footer>Made by <code>ringproof report</code>. Everything is in this file; it asks the network for nothing.</footer>
    </>
  );
}
