// SPDX-License-Identifier: Apache-2.0
// node views.mjs RINGPROOF-REPORT DATA OUTPUT: what each kind of report puts first, long lists, the glossary, paper and phone;
// and axe-core finds nothing in any view, light or dark.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { entriesOf } from "../glossary.mjs";
import { make, run, visit } from "./browser.mjs";
import { bench, check, kernel, machines, many, museum, opinions, placed, skipping, verify, write } from "./samples.mjs";
import { need, web } from "./tools.mjs";

const axe = need("axe-core");
const good = make("good", 0, "verify.json", "litmus.json", "bench.json");
const hostile = make("hostile", 1, "hostile.json", "hostile-litmus.json", "hostile-bench.json");
const letters = bench("policy/barriers/throughput", { ringproof: 10, ringproof_control_dependency: 9, ringproof_compiler_only: 8 });
const sizes = bench("spsc/records:16/throughput", { ringproof: 10, boost: 20, fair: 22, slow: 400, tickets: 5e6 }, { warnings: ["a hypervisor moves the CPUs"], peers_missing: ["rte_ring"] });
for (const [size, queues] of [[64, { ringproof: 12, boost: 24, slow: 30 }], [256, { ringproof: 20, boost: 40, stuck: null }]])
  sizes.benchmarks.push(...bench(`spsc/records:${size}/throughput`, queues).benchmarks);
sizes.benchmarks.push(...letters.benchmarks);
const large = make("large", 0, write("many.json", many()), write("machines.json", machines()), write("skipping.json", skipping()), write("sizes.json", sizes));
const checked = make("checked", 1, write("check.json", check()));
const measured = make("measured", 0, write("sizes.json", sizes));
const again = structuredClone(sizes);
again.context.date = "2026-02-01";
const repeated = make("repeated", 0, write("sizes.json", sizes), write("again.json", again));
const ofKernel = make("kernel", 0, write("many.json", many()), write("kernel.json", kernel()));
const ofMuseum = make("museum", 0, write("many.json", many()), write("museum.json", museum()));
const disputed = make("disputed", 0, write("opinions.json", opinions()));
const tested = make("tested", 0, write("skipping.json", skipping()));

const spread = placed("spsc/items:8/throughput", {
  "other-package": { ringproof: 60, boost: 400 }, "same-l2": { ringproof: 5, boost: 20, alone: 9 }, "same-l3": { ringproof: 10, boost: 30 }, "same-l3 far": { ringproof: 15 },
});
spread.benchmarks.push(...bench("policy/barriers/throughput", { ringproof: 7 }).benchmarks); // one placement: no row
const places = make("places", 0, write("spread.json", spread));

const top = (page, selector) => page.locator(selector).first().evaluate((e) => e.getBoundingClientRect().top + scrollY);
const atCentre = (page, selector) => page.locator(selector).evaluate((box) => {
  const { left, top, width, height } = box.getBoundingClientRect();
  return document.elementFromPoint(left + width / 3, top + height / 2)?.closest("tbody.item")?.dataset.index;
});

const tests = {
  async "the kernel's ring is a line of its own: scenarios, executions, and what is refuted as shipped"() {
    const { page, quiet } = await visit(ofKernel);
    assert.equal((await page.innerText("#kernel-ring")).replace(/\s/g, " "), "the kernel’s ring: 3 scenarios, 1 239 executions; 1 finding");
    await quiet();
    const other = await visit(large);
    assert.equal(await other.page.locator("#kernel-ring").count(), 0);
    await other.quiet();
  },
  async "published bugs of other libraries are a line of their own"() {
    const { page, quiet } = await visit(ofMuseum);
    assert.equal((await page.innerText("#museum")).replace(/\s/g, " "), "other libraries: 2 published bugs refuted, 1 verified after the fix");
    await quiet();
    const other = await visit(large);
    assert.equal(await other.page.locator("#museum").count(), 0);
    await other.quiet();
  },
  async "per guarantee stand the proof, the cost and the fastest peer; what is missing says what to run"() {
    const { page, quiet } = await visit(good);
    const row = (id) => page.locator(`#guarantee-table tr[data-id=${id}]`).innerText();
    assert.equal(await page.locator("#guarantee-table tbody tr").count(), 5);
    assert.match(await row("lost"), /verified\s+4 scenarios[\s\S]*under rc11, sc; 4 of 4 mutants refuted[\s\S]*2\.1\d? ns[\s\S]*1\.43×\s+95 %: 1\.32–1\.54[\s\S]*faster than moodycamel_readerwriterqueue/);
    assert.match(await row("wakes"), /not checked[\s\S]*run ringproof verify[\s\S]*not measured[\s\S]*run ringproof bench '\^wake-up\/futex'/);
    await page.locator("#guarantee-table a[data-guarantee=whole]").click();
    assert.equal(await page.inputValue("#filter-shows"), "whole");
    assert.equal(await page.innerText("#filter-count"), "8 of 8");
    await page.selectOption("#filter-shows", "crash");
    assert.equal(await page.innerText("#filter-count"), "0 of 8");
    await quiet();
  },

  async "no figure is torn apart at the end of a line, and long names break between their words"() {
    for (const width of [1440, 768, 390]) {
      const { page, quiet } = await visit(good, { viewport: { width, height: 900 } });
      const torn = await page.locator("#guarantee-table .whole").evaluateAll((all) => all.filter((e) => e.getClientRects().length !== 1 || e.offsetHeight > 40).map((e) => e.textContent));
      assert.deepEqual(torn, []);
      assert.ok((await page.locator("#guarantee-table .whole").count()) >= 5);
      assert.equal(await page.locator("#guarantee-table wbr").count(), 1); // moodycamel_readerwriterqueue
      await quiet();
    }
  },

  async "a mutant that does not fall, and a scenario that shows nothing, are seen at the guarantee"() {
    const results = many(4);
    results.results.find((r) => r.mutant).verdict = "verified";
    results.results.push({ name: "brand new", model: "sc", verdict: "verified", executions: 1, file: "verify/scenarios/ring/brand_new.cpp" });
    const { page, quiet } = await visit(make("worse", 1, write("worse.json", results)));
    assert.match(await page.innerText("#guarantee-table tr[data-id=order]"), /1 not as expected/);
    assert.match(await page.innerText("#unmapped"), /1 scenarios .*brand new/);
    assert.ok((await top(page, ".problems")) < (await top(page, "#guarantee-table")));
    await quiet();
  },

  async "A to D: needed by which model, cheapest on each machine, cost here, or what to run"() {
    const { page, quiet } = await visit(large);
    const row = (n) => page.locator("#barrier-table > tbody > tr").nth(n);
    assert.match(await row(0).innerText(), /rc11\s+needed[\s\S]*of 38 mutants refuted[\s\S]*x86-64 \(TSO\)\s+nothing[\s\S]*AArch64\s+DMB ISHST[\s\S]*\+11\.1 % time for A alone[\s\S]*\+25\.0 % time for all four/);
    await row(1).locator("summary").click();
    assert.match(await row(1).innerText(), /RC11, plain data\s+release/);
    await row(3).locator("button.finding").click();
    assert.match(await page.locator("#explorer-choice option:checked").innerText(), /^without D/);
    await quiet();
    const bare = await visit(good);
    assert.match(await bare.page.innerText("#barrier-table"), /run ringproof litmus barriers --results barriers\.json[\s\S]*run ringproof bench '\^policy\/barriers\/throughput'/);
    await bare.quiet();
  },

  async "a report of checked programs has findings first, then what was checked, and nothing of the ring"() {
    const { page, quiet } = await visit(checked);
    for (const gone of ["#guarantee-table", "#barriers", "#litmus", "#bench", "#fitness"]) assert.equal(await page.locator(gone).count(), 0, gone);
    const text = await page.innerText("#overview");
    assert.match(text, /data races, memory errors, deadlocks and failed assertions/);
    assert.ok(!/ring buffer|wake-up|guarantee/i.test(text), text);
    assert.match(await page.innerText("#scenarios"), /What was checked[\s\S]*3 of 3[\s\S]*queue\.cpp/);
    assert.match(await page.innerText("#sections"), /Programs/);
    const findings = page.locator(".problems li");
    assert.equal(await findings.count(), 2);
    assert.match(await findings.first().innerText(), /queue\.cpp rc11 src\/a\.cpp:7[\s\S]*data race in queue\.cpp/);
    await findings.first().locator("button.link").click();
    await page.waitForFunction(() => document.activeElement?.classList.contains("explorer"));
    await page.locator("#scenario-table .fold").nth(1).click();
    assert.match(await page.innerText("#scenario-table .detail"), /ended by --time/);
    await quiet();
  },

  async "second opinions stand beside ours, disagreements first, each explained or a bug"() {
    const { page, quiet } = await visit(disputed);
    const row = (n) => page.locator("#opinion-table tbody tr").nth(n).innerText();
    assert.match(await page.innerText("#opinions"), /27 agree with ours, 3 differ, 1 of them without an explanation; 0 give no verdict/);
    assert.match(await row(0), /queue 29[\s\S]*verified[\s\S]*DATA RACE[\s\S]*one of the two has a bug/);
    const explained = `${await row(1)} ${await row(2)}`;
    assert.match(explained, /queue 28[\s\S]*refuted[\s\S]*explained: it forgets old values/);
    assert.match(explained, /queue 27[\s\S]*explained by what it leaves out, above/); // said once, not in each cell
    assert.match(await row(3), /queue 0[\s\S]*no bug in its schedule space: 7 runs/);
    const reach = () => page.evaluate(() => document.querySelector("#opinion-table").scrollWidth - document.querySelector("#opinion-table").parentElement.clientWidth);
    assert.ok(await reach() <= 1, "the table fits the page");
    await page.locator("#opinion-table summary").click();
    assert.ok(await reach() <= 1, "and a history scrolls within its cell");
    await page.locator("#opinion-table summary").click();
    await page.locator("#opinion-table summary").click();
    assert.equal(await page.innerText("#opinion-table pre"), "[0] 1: <b>load");
    assert.match(await page.innerText("#opinions"), /cdschecker skipped, absent: no folder\. To have it: git clone it/);
    assert.equal(await page.locator("#opinion-table tbody tr").count(), 20);
    await page.click("#all-opinions");
    assert.equal(await page.locator("#opinion-table tbody tr").count(), 30);
    await quiet();
  },

  async "benchmarks or litmus tests alone make a page of their own"() {
    for (const [url, words, there] of [[measured, /measured queues on this machine/, "bench"], [tested, /compared what each litmus test shows/, "litmus"]]) {
      const { page, quiet } = await visit(url);
      assert.match(await page.innerText("#overview"), words);
      assert.equal(await page.locator(`section#${there}`).count(), 1);
      assert.equal(await page.locator("#guarantee-table, #barriers, #scenarios").count(), 0);
      await quiet();
    }
  },

  async "a long list keeps few rows, and shows rows wherever one jumps"() {
    const { page, quiet } = await visit(large);
    const window = "#scenarios .window", rows = () => page.locator("#scenario-table tbody.item").count();
    assert.equal(await page.innerText("#filter-count"), "450 of 450");
    assert.ok((await rows()) < 60, `${await rows()} rows`);
    await page.locator(window).scrollIntoViewIfNeeded();
    for (const share of [0.5, 1, 0.1]) {
      await page.locator(window).evaluate((box, share) => (box.scrollTop = share * (box.scrollHeight - box.clientHeight)), share);
      await page.evaluate(() => new Promise(requestAnimationFrame)); // what the next picture shows
      const index = await atCentre(page, window);
      assert.ok(index !== undefined && Math.abs(index / 450 - share) < 0.1, `at ${share}: row ${index}`);
    }
    // One that is verified: where the list begins depends on how high the rows are that it has shown.
    await page.locator("#scenario-table tbody.item", { hasText: "accounted for" }).nth(8).locator(".fold").click();
    assert.match(await page.innerText("#scenario-table .detail"), /spins ≤ 10000/);
    await page.keyboard.press("Enter"); // folds it again
    assert.equal(await page.locator("#scenario-table .detail").count(), 0);
    await page.fill("#filter-text", "scenario 299");
    assert.equal(await rows(), 1);
    assert.equal(await page.locator(window).evaluate((box) => box.scrollTop), 0);
    await quiet();
  },

  async "each jump to a section shows it, at once"() {
    const { page, quiet } = await visit(large);
    for (const id of ["machine", "scenarios", "bench", "barriers", "litmus", "explorer", "overview"]) {
      await page.locator(id === "overview" ? ".brand" : `#sections a[href="#${id}"]`).click();
      await page.evaluate(() => new Promise(requestAnimationFrame));
      assert.ok(await page.evaluate((id) => {
        const { top, bottom } = document.getElementById(id).getBoundingClientRect();
        return top < innerHeight && bottom > 60 && document.elementFromPoint(innerWidth / 2, Math.min(innerHeight, bottom) - 60)?.closest("section") !== null;
      }, id), `${id} is not in view`);
    }
    await quiet();
  },

  async "what matters takes less than five screens, on a phone too, and details are folded"() {
    for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
      const { page, quiet } = await visit(large, { viewport });
      const [details, whole] = [await top(page, "#scenarios"), await page.evaluate(() => document.documentElement.scrollHeight)];
      assert.ok(details < 5 * viewport.height, `details begin at ${details}`);
      assert.ok(whole < 12 * viewport.height, `${whole} pixels in all`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
      await page.locator("#bench-medians summary").click();
      const wide = await page.locator(".window, .scroll").evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.firstElementChild.id));
      assert.deepEqual(wide, [], "tables that have to be scrolled sideways");
      await quiet();
    }
  },

  async "peers that came to a standstill, and outliers, are named beside the charts and not drawn"() {
    const { page, quiet } = await visit(measured);
    assert.match(await page.innerText("#collapsed"), /came to a standstill[\s\S]*stuck[\s\S]*not one operation[\s\S]*tickets[\s\S]*more than 100 times slower/i);
    assert.ok(!(await page.innerText("main")).includes("500\u202f000"));
    const axis = page.locator("#bench-axis");
    assert.match(await axis.innerText(), /By record size[\s\S]*Left out, more than 10 times the median at that place: slow at 16, 400 ns/);
    assert.equal(await axis.locator("svg [data-mark=line] > path").count(), 4); // of slow only what is not left out
    assert.match(await page.innerText("#bench-ratios"), /Left out[\s\S]*slow 40\.0×/);
    assert.deepEqual(await page.locator("#axis-choice option").allInnerTexts(), ["spsc/records:…/throughput same-l3, near"]);
    await page.locator("#missing-peers summary").click();
    assert.match(await page.innerText("#missing-peers"), /rte_ring/);
    await page.locator("#fitness summary").click();
    assert.match(await page.innerText("#fitness"), /fit to measure: 2 of 90 measurements were disturbed, with 1 caution[\s\S]*a hypervisor moves the CPUs/);
    await quiet();
  },

  async "the words below a chart of ratios do not touch, on a phone either, and 1 is among them"() {
    const far = make("far", 0, write("far.json", bench("spsc/records:16/throughput", { ringproof: 10, boost: 15, fair: 120, slow: 480 })));
    for (const [width, least] of [[1440, 7], [390, 4]]) {
      const { page, quiet } = await visit(far, { viewport: { width, height: 900 } });
      const words = await page.locator("#bench-ratios svg [data-mark='x-axis tick label'] text").evaluateAll((all) => all.map((e) => [e.textContent, e.getBoundingClientRect()]).map(([text, { left, right }]) => ({ text, left, right })));
      assert.ok(words.length >= least && words.some((w) => w.text === "1×"), JSON.stringify(words));
      words.sort((a, b) => a.left - b.left).slice(1).forEach((w, i) => assert.ok(w.left > words[i].right + 1, `${words[i].text} and ${w.text} at ${width}`));
      await quiet();
    }
  },

  async "costs stand by placement, from near to far, in stronger colours where they are higher, if there is more than one"() {
    const { page, quiet } = await visit(places);
    const map = page.locator("#bench-placements"), cells = (row) => map.locator("tbody tr").nth(row).locator("td");
    const classes = (row) => cells(row).evaluateAll((all) => all.map((c) => c.className.replace("num", "").trim()));
    assert.deepEqual(await map.locator("thead th").allInnerTexts(), ["Workload", "same-l2, near", "same-l3, near", "same-l3, far", "other-package, near"]);
    assert.equal(await map.locator("tbody tr").count(), 1);
    assert.deepEqual((await cells(0).allInnerTexts()).map((t) => t.replace(/\s+/g, " ")), ["5.00 1.00×", "10.0 2.00×", "15.0 3.00×", "60.0 12.0×"]);
    assert.deepEqual(await classes(0), ["heat-0", "heat-2", "heat-2", "heat-4"]);
    assert.deepEqual(await page.locator("#placement-choice option").allInnerTexts(), ["ringproof, every workload", "spsc/items:8/throughput"]);
    await page.selectOption("#placement-choice", "spsc/items:8/throughput");
    assert.deepEqual(await map.locator("tbody th").allInnerTexts(), ["ringproof", "boost"]);
    assert.deepEqual((await cells(1).allInnerTexts()).map((t) => t.replace(/\s+/g, " ")), ["20.0 1.00×", "30.0 1.50×", "not measured", "400 20.0×"]);
    assert.deepEqual(await classes(1), ["heat-0", "heat-1", "", "heat-5"]);
    await quiet();
    const one = await visit(measured);
    assert.equal(await one.page.locator("#bench-placements").count(), 0);
    await one.quiet();
    for (const width of [1440, 390]) {
      const { page, quiet } = await visit(places, { viewport: { width, height: 900 } });
      await page.selectOption("#placement-choice", "spsc/items:8/throughput");
      assert.equal(await page.locator(".heat-box").evaluate((box) => box.scrollWidth - box.clientWidth), 0);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await quiet();
    }
  },

  async "a machine that was not fit to measure is said to be so beside every cost"() {
    const unfit = bench("spsc/items:8/throughput", { ringproof: 10, boost: 20 }, { fit: false, fitness: { measurements: 9, unsteady: 8, text: "8 of 9 measurements were disturbed" } });
    const { page, quiet } = await visit(make("unfit", 4, "verify.json", write("unfit.json", unfit)));
    assert.match(await page.innerText("#fitness"), /not fit to measure: 8 of 9 measurements were disturbed/);
    assert.match(await page.innerText("#guarantee-table thead"), /machine not fit/);
    await quiet();
  },

  async "skipped litmus tests are folded, with their reason and count"() {
    const { page, quiet } = await visit(tested);
    assert.equal(await page.locator("#litmus-table tbody.item").count(), 4);
    const skipped = page.locator("#litmus-skipped");
    assert.match(await skipped.innerText(), /^40 skipped: 2 reasons$/);
    await skipped.locator("summary").click();
    assert.match(await skipped.innerText(), /25 RISCV: tests of dialect RISCV do not run on this machine[\s\S]*R0, R1[\s\S]*15 AArch64: …: no qemu/);
    await quiet();
    const both = await visit(large);
    await both.page.fill("#litmus-text", "barriers");
    assert.equal(await both.page.innerText("#litmus-count"), "3 of 7");
    await both.page.fill("#litmus-text", "");
    await both.page.selectOption("#litmus-engine", "simulator, aarch64");
    assert.equal(await both.page.locator("#litmus-table tbody.item").count(), 1);
    await both.quiet();
  },

  async "words of the glossary explain themselves by pointer, focus and tap, as docs/ has them"() {
    const docs = join(web, "../../docs"), file = readdirSync(docs, { recursive: true }).find((name) => /(^|\/)glossary\.md$/.test(name));
    const meanings = entriesOf(readFileSync(join(docs, file), "utf8"));
    const { page, quiet } = await visit(good);
    const tip = page.locator("[role=tooltip]"), term = page.locator("#overview .term").first();
    assert.equal(await tip.count(), 0);
    await term.hover();
    assert.equal(await tip.innerText(), meanings.get("execution"));
    assert.equal(await term.getAttribute("aria-describedby"), await tip.getAttribute("id"));
    await page.keyboard.press("Escape");
    assert.equal(await tip.count(), 0);
    await page.locator("#overview .term").nth(1).focus();
    assert.equal(await tip.innerText(), meanings.get("memory model"));
    await page.locator("#overview .term").nth(1).blur();
    assert.equal(await tip.count(), 0);
    await page.locator("#explorer .toggles .term").first().hover();
    assert.equal(await tip.innerText(), meanings.get("program order (po)"));
    await quiet();
    const phone = await visit(good, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await phone.page.locator("#overview .term").first().tap();
    const box = await phone.page.locator("[role=tooltip]").boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
    await phone.quiet();
  },

  async "on a phone the sections are behind a button, and a choice closes it"() {
    const { page, quiet } = await visit(large, { viewport: { width: 390, height: 844 } });
    const nav = page.locator("#sections"), menu = page.locator("#menu");
    assert.equal(await nav.isVisible(), false);
    await menu.click();
    assert.equal(await menu.getAttribute("aria-expanded"), "true");
    await page.keyboard.press("Escape");
    assert.equal(await nav.isVisible(), false);
    await menu.click();
    await nav.locator("a", { hasText: "Litmus" }).click();
    assert.equal(await nav.isVisible(), false);
    assert.ok(await page.locator("#litmus-title").evaluate((e) => e.getBoundingClientRect().top >= 40 && e.getBoundingClientRect().top < 300));
    await quiet();
    const wide = await visit(large);
    assert.equal(await wide.page.locator("#menu").isVisible(), false);
    await wide.quiet();
  },

  async "the button changes between light and dark"() {
    const { page, quiet } = await visit(good, { colorScheme: "dark" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    const becomes = (colour) => page.waitForFunction((colour) => getComputedStyle(document.body).backgroundColor === colour, colour);
    await page.click("#theme");
    await becomes("rgb(246, 247, 249)");
    assert.equal(await page.innerText("#theme"), "Dark");
    await page.click("#theme");
    await becomes(dark);
    await quiet();
  },

  async "paper is white and has every row, and no buttons"() {
    const { page, quiet } = await visit(large, { colorScheme: "dark", viewport: { width: 794, height: 1123 } });
    await page.emulateMedia({ media: "print" });
    await page.waitForFunction(() => document.querySelectorAll("#scenario-table tbody.item").length === 450);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), "rgb(0, 0, 0)");
    // A button would be missing in the heading of the second sheet.
    assert.equal(await page.locator("#scenario-table thead .term").first().evaluate((e) => getComputedStyle(e).display), "contents");
    for (const gone of [".top", ".filters", ".controls"]) assert.equal(await page.locator(gone).first().isVisible(), false, gone);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 794);
    await page.emulateMedia({ media: "screen" });
    await page.waitForFunction(() => document.querySelectorAll("#scenario-table tbody.item").length < 60);
    await quiet();
  },

  async "axe-core finds nothing in any view, light or dark"() {
    const views = { large, places, checked, repeated, tested, hostile, disputed };
    const settings = [["light", 1280], ["dark", 390], ["dark", 1280], ["light", 390]];
    for (const [i, [name, url]] of Object.entries(views).entries())
      // The largest in all settings; each other view in two, which have both widths and both colours.
      for (const [colorScheme, width] of name === "large" ? settings : settings.slice(2 * (i % 2), 2 * (i % 2) + 2)) {
        const { page, quiet } = await visit(url, { colorScheme, viewport: { width, height: 900 } });
        await page.locator("details").evaluateAll((all) => all.forEach((d) => (d.open = true)));
        for (const fold of await page.locator(".fold").all().then((all) => all.slice(0, 2))) await fold.click();
        // The state after acting counts as well: an earlier step, its relations, an empty list, the open menu, a tip.
        if (await page.locator("#step-back").count()) {
          await page.click("#step-back");
          await page.locator(".toggle input").first().click();
        }
        if (name === "large") await page.fill("#filter-text", "no such scenario");
        if (await page.locator("#menu").isVisible()) await page.click("#menu");
        await page.locator(".term").first().focus();
        await page.evaluate(axe.source);
        // What axe leaves open counts too, but for colors: it cannot see what lies behind a drawing.
        const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations", "incomplete"] }));
        const faults = [...found.violations, ...found.incomplete.filter((v) => v.id !== "color-contrast")];
        assert.deepEqual(faults.flatMap((v) => v.nodes.map((n) => `${name} ${colorScheme} ${width}: ${v.id}: ${n.html.slice(0, 160)} ${n.failureSummary}`)), []);
        await quiet();
      }
  },
};

await run(tests);
