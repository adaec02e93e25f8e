// SPDX-License-Identifier: Apache-2.0
// Throughput as dots, one a repetition, so that the spread is seen and not only a mean.
import * as Plot from "@observablehq/plot";
import { useEffect, useRef } from "preact/hooks";
import type { Benchmark, Placed, Ratio } from "./data";
import { median, si } from "./format";

/** Google Benchmark's own suffixes say how it was run, not what. */
const subjectOf = (b: Benchmark): string =>
  (b.run_name ?? b.name).replace(/\/(manual_time|real_time|process_time|repeats:\d+|iterations:\d+|min_time:[\d.]+|min_warmup_time:[\d.]+|threads:1)(?=\/|$)/g, "");

export const regimeOf = (b: Benchmark): string => {
  const said = /\b(near|far)\b/i.exec(b.label ?? "")?.[1];
  return said ? said.toLowerCase() : "all";
};

interface Row { workload: string; subject: string; regime: string; rate: number; ours: boolean }

function rowsOf(results: Placed<Benchmark>[]): Row[] {
  return results.flatMap(({ result: b }) => {
    const rate = b.items_per_second ?? (b.ns_per_item ? 1e9 / b.ns_per_item : undefined);
    if (!rate) return [];
    const parts = subjectOf(b).split("/");
    const workload = parts.length > 2 ? parts.slice(0, 2).join("/") : parts.length === 2 ? parts[0]! : "benchmarks";
    const subject = parts.length > 2 ? parts.slice(2).join("/") : parts[parts.length - 1]!;
    return [{ workload, subject, regime: regimeOf(b), rate, ours: !/boost|moodycamel|folly|rigtorp|dpdk|rte_|tbb|liburcu|ck_|peer/i.test(b.name) }];
  });
}

function Chart({ options, label }: { options: Plot.PlotOptions; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let drawn = 0;
    const draw = () => {
      const width = Math.max(300, Math.min(element.clientWidth, 900));
      if (width === drawn) return;
      drawn = width;
      const chart = Plot.plot({ ...options, width, marginLeft: Math.min(options.marginLeft ?? 160, width * 0.42) });
      chart.setAttribute("role", "img");
      chart.setAttribute("aria-label", label);
      element.replaceChildren(chart);
    };
    const watch = new ResizeObserver(draw);
    watch.observe(element);
    draw();
    return () => watch.disconnect();
  }, [options, label]);
  return <div class="chart" ref={box} />;
}

function Workload({ name, rows }: { name: string; rows: Row[] }) {
  const regimes = [...new Set(rows.map((r) => r.regime))];
  const longest = Math.max(...rows.map((r) => r.subject.length));
  const options: Plot.PlotOptions = {
    marginLeft: 24 + longest * 6.6, marginRight: 24, height: 56 + new Set(rows.map((r) => r.subject)).size * 30,
    style: { fontSize: "12px", background: "transparent", fontFamily: "inherit" },
    x: { label: "items per second →", grid: true, zero: true, tickFormat: "~s", nice: true },
    y: { label: null, domain: [...new Set(rows.map((r) => r.subject))] },
    color: { domain: ["near", "far", "all"], range: ["var(--near)", "var(--far)", "var(--accent)"] },
    symbol: { domain: ["near", "far", "all"], range: ["circle", "diamond", "circle"] },
    marks: [
      Plot.ruleY(rows, Plot.groupY({ x1: "min", x2: "max" }, { x: "rate", y: "subject", stroke: "regime", strokeWidth: 1.5, strokeOpacity: 0.5 } as any)),
      Plot.dot(rows, { x: "rate", y: "subject", stroke: "regime", symbol: "regime", r: 3.5, strokeWidth: 1.5 }),
      Plot.tickX(rows, Plot.groupY({ x: "median" }, { x: "rate", y: "subject", z: "regime", stroke: "regime", strokeWidth: 3, insetTop: 5, insetBottom: 5 })),
    ],
  };
  return (
    <figure>
      <figcaption><b>{name}</b> <span class="quiet small">dots are repetitions, the bar is their median{regimes.some((r) => r !== "all") ? <>; <span class="key near">● near</span> <span class="key far">◆ far</span>: what the ping-pong probe says of the two CPUs at that moment</> : null}</span></figcaption>
      <Chart options={options} label={`Throughput of ${name}; the table below has the figures`} />
    </figure>
  );
}

function Table({ results }: { results: Placed<Benchmark>[] }) {
  const groups = new Map<string, Benchmark[]>();
  for (const { result } of results) {
    const key = `${subjectOf(result)}\u0000${result.label ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  const middle = (list: Benchmark[], pick: (b: Benchmark) => unknown) => {
    const values = list.map(pick).filter((v): v is number => typeof v === "number");
    return values.length ? median(values) : undefined;
  };
  return (
    <div class="scroll">
      <table id="bench-table" class="stack">
        <caption>Medians of the repetitions</caption>
        <thead><tr><th scope="col">Benchmark</th><th scope="col" class="num">Items/s</th><th scope="col" class="num">ns/item</th><th scope="col" class="num">Ratio</th><th scope="col" class="num">Ping-pong before, after</th><th scope="col" class="num">Runs</th><th scope="col">Notes</th></tr></thead>
        <tbody>
          {[...groups].map(([key, list]) => {
            const rate = middle(list, (b) => b.items_per_second), ns = middle(list, (b) => b.ns_per_item ?? (b.items_per_second ? 1e9 / b.items_per_second : undefined));
            const ratio = middle(list, (b) => b.ratio), before = middle(list, (b) => b.rtt_before_ns), after = middle(list, (b) => b.rtt_after_ns);
            return (
              <tr key={key}>
                <th scope="row">{subjectOf(list[0]!)}</th>
                <td data-label="Items/s" class="num">{si(rate)}</td>
                <td data-label="ns/item" class="num">{ns === undefined ? "" : ns.toPrecision(3)}</td>
                <td data-label="Ratio" class="num">{ratio === undefined ? "" : `${ratio.toFixed(2)}×`}</td>
                <td data-label="Ping-pong" class="num">{before === undefined ? "" : `${before.toFixed(0)}, ${after?.toFixed(0) ?? "?"} ns`}</td>
                <td data-label="Runs" class="num">{list.length}</td>
                <td data-label="Notes" class="small">{list[0]!.label ?? ""}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Ratios({ ratios }: { ratios: Ratio[] }) {
  const rows = ratios.map((r) => ({ ...r, name: r.label ? `${r.name} (${r.label})` : r.name }));
  const options: Plot.PlotOptions = {
    marginLeft: 24 + Math.max(...rows.map((r) => r.name.length)) * 6.6, marginRight: 30, height: 60 + rows.length * 30,
    style: { fontSize: "12px", background: "transparent", fontFamily: "inherit" },
    x: { label: "times the peer's throughput →", type: "log", grid: true, tickFormat: (d: number) => `${d}×`, nice: true },
    y: { label: null, domain: rows.map((r) => r.name) },
    marks: [
      Plot.ruleX([1], { strokeDasharray: "4 3" }),
      Plot.link(rows, { x1: "low", x2: "high", y1: "name", y2: "name", stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.dot(rows, { x: "median", y: "name", r: 5, fill: "var(--accent)" }),
    ],
  };
  return (
    <figure>
      <figcaption><b>Ratio to peers</b> <span class="quiet small">median, and least to most of the repetitions; right of 1× is faster</span></figcaption>
      <Chart options={options} label="Ratio to peers; the table below has the figures" />
    </figure>
  );
}

export function Bench({ results, ratios }: { results: Placed<Benchmark>[]; ratios: Ratio[] }) {
  if (!results.length) return <p class="quiet">Nothing was benchmarked.</p>;
  const good = results.filter((r) => r.outcome === "passed");
  const rows = rowsOf(good);
  return (
    <>
      {ratios.length ? <Ratios ratios={ratios} /> : null}
      <div class="charts">{[...new Set(rows.map((r) => r.workload))].map((w) => <Workload key={w} name={w} rows={rows.filter((r) => r.workload === w)} />)}</div>
      <Table results={good} />
    </>
  );
}
