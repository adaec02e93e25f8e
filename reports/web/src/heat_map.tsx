// SPDX-License-Identifier: Apache-2.0
// A table of colours: a row for each workload or queue, a column for each placement.
import { useMemo, useState } from "preact/hooks";
import { nanos, times } from "./format";
import type { Group } from "./measured";
import { choicesOf, everyWorkload, heatMapOf, heatOf } from "./placements";
import { Term } from "./term";

export function HeatMap({ groups }: { groups: Group[] }) {
  const choices = useMemo(() => choicesOf(groups), [groups]), [chosen, choose] = useState(everyWorkload);
  const workload = choices.includes(chosen) ? chosen : choices[0] ?? everyWorkload;
  const map = useMemo(() => heatMapOf(groups, workload), [groups, workload]);
  if (!choices.length) return null;
  return (
    <figure id="bench-placements">
      <figcaption><b>By <Term of="placement">placement</Term></b> <span class="quiet small block">median ns an operation, and times the least of its row; the stronger the colour, the higher</span></figcaption>
      <label class="small">Workload <select id="placement-choice" value={workload} onChange={(e) => choose(e.currentTarget.value)}>
        {choices.map((w) => <option key={w} value={w}>{w === everyWorkload ? "ringproof, every workload" : w}</option>)}
      </select></label>
      <div class="heat-box" role="region" aria-label="Costs by placement, a table that scrolls" tabIndex={0}>
        <table class="heat stack">
          <thead><tr><th scope="col">{workload === everyWorkload ? "Workload" : "Queue"}</th>{map.columns.map((c) => <th key={c} scope="col" class="num">{c}</th>)}</tr></thead>
          <tbody>{map.rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              {row.cells.map((cell, i) => cell
                ? <td key={i} data-label={map.columns[i]} class={`num heat-${heatOf(cell.times)}`}>{nanos(cell.ns)} <span class="small block">{times(cell.times)}×</span></td>
                : <td key={i} data-label={map.columns[i]} class="num"><span class="visually-hidden">not measured</span></td>)}
            </tr>
          ))}</tbody>
        </table>
      </div>
    </figure>
  );
}
