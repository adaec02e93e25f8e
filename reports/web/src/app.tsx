// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from "preact/hooks";
import { ThemeButton } from "./theme";
import { Barriers } from "./barriers";
import { Bench } from "./bench";
import { type Benchmark, type LitmusResult, type Report, type VerifyResult, resultsOf } from "./data";
import { Explorer } from "./explorer";
import { Litmus } from "./litmus";
import { Machine } from "./machine";
import { marks } from "./marks";
import { Opinions } from "./opinions";
import { groupsOf } from "./measured";
import { Overview, kindOf } from "./overview";
import { newestOf, runsOf } from "./runs";
import { Scenarios } from "./scenarios";
import { GlossaryTip } from "./term";

function Section({ id, title, children, lead }: { id: string; title: string; lead?: string; children: any }) {
  return <section id={id} aria-labelledby={`${id}-title`}><h2 id={`${id}-title`}>{title}</h2>{lead ? <p class="lead">{lead}</p> : null}{children}</section>;
}

const chosenByHash = () => /^#counterexample-(\d+-\d+)$/.exec(location.hash)?.[1] ?? "";

function Top({ report, sections }: { report: Report; sections: [string, string][] }) {
  const [open, setOpen] = useState(false);
  return (
    <header class="top" onKeyDown={(e) => e.key === "Escape" && setOpen(false)}>
      <a class="brand" href="#overview">ringproof</a>
      <span class={`pill ${report.summary.status}`}><span aria-hidden="true">{marks[report.summary.status]}</span> {report.summary.status}</span>
      <button type="button" id="menu" class="plain-button" aria-expanded={open} aria-controls="sections" onClick={() => setOpen(!open)}>Sections</button>
      <nav id="sections" aria-label="Sections" class={open ? "open" : ""}>{sections.map(([id, title]) => <a key={id} href={`#${id}`} onClick={() => setOpen(false)}>{title}</a>)}</nav>
      <ThemeButton />
    </header>
  );
}

export function App({ report }: { report: Report }) {
  const [chosen, setChosen] = useState(chosenByHash), [shows, setShows] = useState("");
  const [verify, litmus, bench] = useMemo(() => [resultsOf<VerifyResult>(report, "verify"), resultsOf<LitmusResult>(report, "litmus"), resultsOf<Benchmark>(report, "bench")] as const, [report]);
  const withCounterexample = useMemo(() => verify.filter((v) => v.result.counterexample).sort((a, b) => Number(a.outcome === "passed") - Number(b.outcome === "passed")), [verify]);
  const opinions = useMemo(() => report.documents.filter((d) => d.kind === "verify" && d.content.opinions).map((d) => d.content.opinions), [report]);
  const runs = useMemo(() => runsOf(report), [report]);
  const { groups, aggregates } = useMemo(() => {
    const { results, aggregates } = newestOf(runs);
    return { groups: groupsOf(results.filter((r) => r.outcome === "passed"), aggregates, report.summary.ratios), aggregates };
  }, [report, runs]);
  const ring = kindOf(report) === "ring", letters = ring || report.summary.barriers.length > 0;
  // `ringproof check` compiles the programs itself; everything else has scenarios.
  const checks = report.documents.some((d) => d.kind === "verify" && (d.content.environment?.program_compiler || d.content.invocation?.[1] === "check"));
  const noun = ring || !checks ? "scenario" : "program";

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
    ["barriers", "Barriers", letters], ["scenarios", noun === "scenario" ? "Scenarios" : "Programs", verify.length > 0],
    ["opinions", "Second opinions", opinions.length > 0],
    ["explorer", "Counterexamples", withCounterexample.length > 0], ["litmus", "Litmus", litmus.length > 0],
    ["bench", "Benchmarks", bench.length > 0], ["machine", "Machine", true],
  ];
  return (
    <>
      <Top report={report} sections={sections.filter(([, , there]) => there).map(([id, title]) => [id, title])} />
      <main>
        <Overview report={report} verify={verify} litmus={litmus} onOpen={open} onShow={setShows} />
        {letters ? <Section id="barriers" title="Which barrier is needed where, and what it costs"><Barriers barriers={report.summary.barriers} litmus={litmus} groups={groups} onOpen={open} /></Section> : null}
        {verify.length ? <Section id="scenarios" title={noun === "scenario" ? "Scenarios" : "What was checked"} lead="One row each, its models folded into it. Verified: every execution was explored, within the bounds that the row unfolds to."><Scenarios results={verify} noun={noun} guarantees={report.summary.guarantees.all} shows={shows} onShows={setShows} onOpen={open} /></Section> : null}
        {opinions.length ? <Section id="opinions" title="Second opinions" lead="The same scenarios on other checkers, which share nothing with ours. Disagreements come first; each is explained, or one of the two has a bug."><Opinions documents={opinions} /></Section> : null}
        {withCounterexample.length ? <Section id="explorer" title="Counterexamples" lead="One execution, event by event. The arrow keys step."><Explorer sources={report.sources ?? {}} results={withCounterexample} chosen={chosen} onChoose={(key) => { setChosen(key); history.replaceState(null, "", `#counterexample-${key}`); }} /></Section> : null}
        {litmus.length ? <Section id="litmus" title="Litmus tests"><Litmus results={litmus} /></Section> : null}
        {bench.length ? <Section id="bench" title="Benchmarks"><Bench report={report} runs={runs} groups={groups} aggregates={aggregates} /></Section> : null}
        <Section id="machine" title="Machine and documents"><Machine report={report} /></Section>
        <GlossaryTip />
      </main>
      <footer>Made by <code>ringproof report</code>. Everything is in this file; it asks the network for nothing.</footer>
    </>
  );
}
