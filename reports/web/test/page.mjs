// SPDX-License-Identifier: Apache-2.0
// node page.mjs RINGPROOF-REPORT DATA OUTPUT: uses the pages as a person would: what is shown, and each thing that acts.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { make, output, run, sample, visit } from "./browser.mjs";

const good = make("good", 0, "verify.json", "litmus.json", "bench.json");
const hostile = make("hostile", 1, "hostile.json", "hostile-litmus.json", "hostile-bench.json");
const evil = sample("hostile.json").results[0].name;

const tests = {
  async "the first screen says what was proved, what the hardware showed and what it costs"() {
    const { page, quiet } = await visit(good);
    const text = await page.innerText("#overview");
    for (const words of ["Everything asked for holds", "lock-free ring buffer", "8 results are verified and 4 mutants are refuted, under rc11 and sc", "4 litmus tests", "6\u202f372", "fit to measure"])
      assert.ok(text.includes(words), `${words} is not in: ${text}`);
    for (const part of ["#guarantee-table", "#fitness"])
      assert.ok(await page.locator(part).evaluate((e) => e.getBoundingClientRect().bottom < innerHeight), `${part} is not on the first screen`);
    for (const id of ["barriers", "scenarios", "explorer", "litmus", "bench", "machine"]) assert.equal(await page.locator(`section#${id}`).count(), 1, id);
    await quiet();
  },

  async "the page of a check replays with its own command, and shows its sources"() {
    const folder = join(output, "check");
    mkdirSync(join(folder, "tests"), { recursive: true });
    writeFileSync(join(folder, "tests/flag.cpp"), "// one\n// two\nready.store(1);\n// four\n");
    const event = { id: 1, thread: 0, kind: "write", label: "store", file: "tests/flag.cpp", line: 3 };
    const replay_command = ["ringproof", "check", "flag.cpp", "--replay", "T", "--", "-DX=it's a"];
    const counterexample = { kind: "race", message: "m", events: [event], replay: "T", replay_command };
    writeFileSync(join(folder, "r.json"), JSON.stringify({
      schema: "ringproof-verify/1", tool: { name: "ringproof", version: "0" }, environment: { folder: "tests" },
      invocation: ["ringproof", "check", "flag.cpp", "--html", "a b.html"],
      results: [{ name: "flag.cpp", model: "rc11", verdict: "refuted", executions: 1, command: ["ringproof", "check", "flag.cpp"], counterexample }],
    }));
    const { page, quiet } = await visit(make("check/page", 1, join(folder, "r.json"), "--source", folder));
    assert.equal(await page.innerText("#replay-command"), "ringproof check flag.cpp --replay T -- '-DX=it'\\''s a'");
    assert.equal(await page.innerText("#found-command"), "ringproof check flag.cpp");
    assert.match(await page.locator("#explorer .replay").first().innerText(), /^Replay it in tests:/);
    assert.match(await page.locator("#explorer .source .here").innerText(), /ready\.store\(1\);/);
    assert.equal(await page.locator("#explorer .source .line").count(), 4);
    assert.match(await page.innerText("#machine"), /ringproof check flag\.cpp --html 'a b\.html'/);
    await quiet();
  },

  async "a barrier leads to its counterexample, in the address too"() {
    const { page, quiet } = await visit(good);
    assert.equal(await page.locator(".barriers .finding.needed").count(), 4);
    assert.equal(await page.locator(".barriers .finding.survived").count(), 4);
    await page.locator(".barriers tbody tr").nth(2).locator("button.finding").click();
    assert.match(await page.locator("#explorer-choice option:checked").innerText(), /^without C/);
    assert.match(page.url(), /#counterexample-0-\d+$/);
    const again = await visit(good);
    await again.page.evaluate((hash) => (location.hash = hash), new URL(page.url()).hash);
    await again.page.waitForFunction(() => document.querySelector("#explorer-choice").selectedOptions[0].text.startsWith("without C"));
    await again.quiet();
    await quiet();
  },

  async "the explorer steps with buttons and arrow keys, and stops at both ends"() {
    const { page, quiet } = await visit(good);
    const at = () => page.innerText("#step-count");
    assert.equal(await at(), "step 8 of 8"); // it opens where the execution went wrong
    assert.ok(await page.isDisabled("#step-forward"));
    await page.click("#step-back");
    assert.equal(await at(), "step 7 of 8");
    assert.match(await page.innerText("#step-now"), /T1.*load tail = 1, relaxed.*read from step 6, T2 store tail := 1, release.*record_ring\.hpp:57/s);
    await page.focus(".explorer");
    await page.keyboard.press("Home");
    assert.equal(await at(), "step 1 of 8");
    assert.ok(await page.isDisabled("#step-back"));
    await page.keyboard.press("ArrowLeft");
    assert.equal(await at(), "step 1 of 8");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    assert.equal(await at(), "step 3 of 8");
    assert.equal(await page.locator(".steps li.now").count(), 1);
    assert.equal(await page.locator(".graph .event.future").count(), 5);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await page.click("#step-now a"); // where the value was read from
    assert.equal(await at(), "step 6 of 8");
    await page.locator(".steps button").nth(1).click();
    assert.equal(await at(), "step 2 of 8");
    await quiet();
  },

  async "the relations of the graph can be switched on and off, and fr follows from rf and co"() {
    const { page, quiet } = await visit(good);
    const edges = (name) => page.locator(`.graph .edge[data-relation=${name}]`).count();
    assert.deepEqual([await edges("rf"), await edges("sw"), await edges("co"), await edges("fr")], [3, 1, 0, 0]);
    await page.uncheck("input[data-relation=rf]");
    await page.check("input[data-relation=fr]");
    await page.check("input[data-relation=co]");
    assert.deepEqual([await edges("rf"), await edges("co"), await edges("fr")], [0, 2, 1]);
    await quiet();
  },

  async "the source stands beside the event, as text"() {
    const root = join(output, "source"), file = join(root, "core/include/ringproof/record_ring.hpp");
    mkdirSync(join(root, "core/include/ringproof"), { recursive: true });
    writeFileSync(file, Array.from({ length: 99 }, (_, i) => `int line_${i + 1}; // <b>&amp;</b>`).join("\n"));
    const { page, quiet } = await visit(make("sourced", 0, "verify.json", "--source", root));
    assert.equal(await page.innerText(".source .here"), "63int line_63; // <b>&amp;</b>\n");
    await page.click("#step-back");
    assert.equal(await page.locator(".source .line").count(), 7);
    assert.match(await page.innerText(".source .here"), /line_57/);
    await page.click("#step-first"); // an initial value has no place
    assert.equal(await page.locator(".source").count(), 0);
    await quiet();
  },

  async "filters filter by words, model and verdict"() {
    const { page, quiet } = await visit(good);
    const rows = () => page.locator("#scenario-table tbody.item").count();
    assert.equal(await rows(), 8); // its models are folded
    assert.equal(await page.locator("#scenario-table .model").count(), 16);
    await page.fill("#filter-text", "SPSC full");
    assert.equal(await rows(), 1);
    await page.fill("#filter-text", "");
    await page.selectOption("#filter-verdict", "refuted");
    assert.equal(await rows(), 4);
    await page.selectOption("#filter-model", "sc");
    assert.equal(await page.innerText("#filter-count"), "0 of 8"); // refuted, but not under sc
    await page.selectOption("#filter-model", "rc11");
    assert.equal(await page.innerText("#filter-count"), "4 of 8");
    await page.fill("#filter-text", "no such scenario");
    assert.equal(await rows(), 0);
    assert.ok((await page.innerText("#scenarios")).includes("No scenario matches"));
    await quiet();
  },

  async "charts are drawn, and each has its figures in a table"() {
    const { page, quiet } = await visit(good);
    assert.equal(await page.locator("#bench .chart svg").count(), 2);
    assert.ok((await page.locator("#bench .chart svg circle, #bench .chart svg [data-mark=dot] path").count()) > 12);
    for (const [choice, figure] of [["#workload-choice", "#bench-workload"], ["#ratio-choice", "#bench-ratios"]]) {
      const names = await page.locator(`${choice} option`).allInnerTexts();
      assert.ok(names.length >= 3, choice);
      await page.selectOption(choice, names[2]);
      await page.waitForFunction(([figure, name]) => document.querySelector(`${figure} svg`).getAttribute("aria-label").includes(name), [figure, names[2]]);
    }
    await page.locator("#bench-medians summary").click();
    assert.match(await page.innerText("#bench-table"), /boost_spsc_queue[\s\S]*2\.81×\s*2\.60–3\.02/);
    await page.fill("#bench-text", "ping-pong BOOST");
    assert.equal(await page.locator("#bench-table tbody.item").count(), 2); // near and far
    const folds = page.locator("#litmus-table .fold");
    for (let i = 0; i < (await folds.count()); ++i) await folds.nth(i).click();
    assert.equal(await page.locator("#litmus .histogram tr").count(), 13);
    await folds.first().click();
    assert.equal(await page.locator("#litmus .histogram").count(), 3);
    await quiet();
  },

  async "a benchmark whose worst repetition is far above its median says so"() {
    const document = sample("bench.json"), name = document.benchmarks.find((b) => b.peer === "boost_spsc_queue").run_name;
    const of = (what) => what.benchmarks.filter((b) => b.run_name === name && b.run_type === "iteration");
    of(document).forEach((b, at) => { b.real_time = at ? 10 : 16; b.items_per_second = 1e9 / b.real_time; });
    const path = join(output, "scattered.json");
    writeFileSync(path, JSON.stringify(document));
    const { page, quiet } = await visit(make("scattered", 0, path));
    await page.locator("#bench-medians summary").click();
    await page.fill("#bench-text", name.split("/")[1] + " boost");
    assert.ok((await page.locator("#bench-table td[data-label=Worst]").count()) > 0);
    assert.ok((await page.locator("#bench-table .tag", { hasText: "scattered" }).count()) > 0);
    await quiet();
  },

  async "two runs are compared, the newest stands for each benchmark, and any can be followed from run to run"() {
    const older = sample("bench.json");
    const newer = structuredClone(older);
    newer.context.ringproof.environment.date = "2026-01-03T03:04:05Z";
    for (const b of newer.benchmarks) { // half the time
      b.real_time /= 2;
      if (b.items_per_second) b.items_per_second *= 2;
    }
    // What only the older run has stays; the newer one is named first.
    newer.benchmarks = newer.benchmarks.filter((b) => b.peer !== "boost_spsc_queue");
    const files = [["newer.json", newer], ["older.json", older]].map(([name, what]) => {
      const path = join(output, name);
      writeFileSync(path, JSON.stringify(what));
      return path;
    });
    const { page, quiet } = await visit(make("runs", 0, ...files));
    assert.equal(await page.locator("#bench-compare svg[role=img][aria-label], #bench-history svg[role=img][aria-label]").count(), 2);
    await page.locator("#bench details summary", { hasText: "changes as a table" }).click();
    const changes = await page.innerText("#compare-table");
    assert.match(changes, /ringproof[\s\S]*\+100\.0 % \(\+/); // half the time is twice the speed
    assert.ok(!changes.includes("boost_spsc_queue"));
    await page.locator("#bench-medians summary").click();
    const table = await page.innerText("#bench-table");
    assert.match(table, /boost_spsc_queue/);
    const choice = page.locator("#history-choice"), names = await choice.locator("option").allInnerTexts();
    assert.ok(names.length > 3);
    assert.equal(await page.locator("#bench-history svg [data-mark='x-axis tick label'] text").allTextContents().then((t) => t.join()), "older.json,newer.json");
    await choice.selectOption(names.at(-1));
    await page.waitForFunction((name) => document.querySelector("#bench-history svg").getAttribute("aria-label").startsWith(name + " "), names.at(-1));
    await quiet();
  },

  async "latencies are drawn to the tail, and the percentiles stand in a table"() {
    const bench = sample("bench.json");
    const tail = (peer, factor) => ({ name: `l/${peer}_median`, run_name: `l/${peer}`, run_type: "aggregate", aggregate_name: "median", real_time: 200 * factor, time_unit: "ns",
      workload: "spsc/records:64/latency/load:80", placement: "same-l3", peer, regime: "near", p50_ns: 200 * factor, p99_ns: 4321 * factor, worst_ns: 9000 * factor, samples: 20000,
      tail: [[0.5, 200 * factor], [0.05, 900 * factor], [0.01, 4321 * factor], [0.00005, 9000 * factor]] });
    bench.benchmarks.push({ ...tail("", 1), workload: "limit/wake-up" }, tail("ringproof", 1), tail("boost_spsc_queue", 2));
    const path = join(output, "tail.json");
    writeFileSync(path, JSON.stringify(bench));
    const { page, quiet } = await visit(make("tail", 0, path));
    assert.equal(await page.locator("figure.tail svg[role=img][aria-label]").count(), 1);
    assert.match(await page.locator("#tail-choice option:checked").innerText(), /^spsc/); // a workload with a queue of ours
    assert.equal(await page.locator("figure.tail svg [data-mark=line] path").count(), 2);
    await page.selectOption("#tail-choice", { index: 0 });
    await page.waitForFunction(() => document.querySelectorAll("figure.tail svg [data-mark=line] path").length === 1);
    assert.match(await page.locator("figure.tail svg").first().evaluate((svg) => svg.textContent), /the limit/); // one line has its name
    await page.locator("figure.tail details summary").click();
    assert.match(await page.innerText("#tail-table"), /boost_spsc_queue[\s\S]*400[\s\S]*8\u202f642/);
    await quiet();
  },

  async "names are text, whatever they hold"() {
    const { page, quiet } = await visit(hostile);
    await page.locator("#bench-medians summary").click();
    for (const place of [".problems", "#scenario-table", "#explorer", "#litmus-table", "#bench-table"])
      assert.ok((await page.locator(place).evaluate((e) => e.textContent)).includes(evil), `${place} does not show the name`);
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.locator("#app script, #app b b, #app i, #app u, #app s").count(), 0);
    assert.match(await page.innerText("h1"), /results are not as expected/);
    await quiet();
  },

  async "it fits a phone, in light and dark"() {
    for (const colorScheme of ["light", "dark"])
      for (const url of [good, hostile]) {
        const { page, quiet } = await visit(url, { viewport: { width: 360, height: 740 }, colorScheme });
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
        const [ground, text] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]);
        const sum = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0);
        assert.equal(sum(ground) > sum(text), colorScheme === "light");
        await quiet();
      }
  },

  async "everything that acts can be reached and named by keyboard and screen reader"() {
    const { page, quiet } = await visit(good);
    await page.locator("details").evaluateAll((all) => all.forEach((d) => (d.open = true)));
    const nameless = await page.locator("button, a, input, select").evaluateAll((all) =>
      all.filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.[0]?.textContent.trim())).map((e) => e.outerHTML));
    assert.deepEqual(nameless, []);
    assert.deepEqual(await page.locator("table").evaluateAll((all) => all.filter((t) => !t.querySelector("th[scope]")).length), 0);
    assert.deepEqual(await page.locator("main h1").count(), 1);
    await quiet();
  },
};

await run(tests);
