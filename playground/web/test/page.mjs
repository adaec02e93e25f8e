// SPDX-License-Identifier: Apache-2.0
// node page.mjs PAGE: uses the page in a browser as a person would.
import assert from "node:assert/strict";
import { axe, launch, visit } from "./browser.mjs";
import { built, example } from "./tools.mjs";

const file = built(process.argv[2]);
const browser = await launch();
const open = (hash, options) => visit(browser, file, hash, options);

const mp = "X86 MP\n{ x=0; y=0; }\n P0         | P1          ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\nexists (1:EAX=1 /\\ 1:EBX=0)\n";
// Sixteen stores in four threads: the orders of one location alone are 63 million.
const long = `X86 LONG\n{ }\n P0 | P1 | P2 | P3 ;\n${" MOV [x],$1 | MOV [x],$2 | MOV [x],$3 | MOV [x],$4 ;\n".repeat(4)}exists (x=1)\n`;
const texts = (page, selector) => page.locator(selector).allInnerTexts();
const violations = async (page) => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html.slice(0, 160)).join(" · ")}`);
};

const tests = {
  async "it begins with an example, its verdict, states and graph"() {
    const { page, verdict, quiet } = await open();
    await verdict("Sometimes: 1 of 4 final states");
    assert.deepEqual(await texts(page, "#states thead th code"), ["0:EAX", "1:EAX"]);
    assert.equal(await page.locator("#states tbody tr").count(), 4);
    assert.equal((await page.locator("#states tr.witness").innerText()).replace(/\s+/g, " ").trim(), "✓ yes 0 0 1 show");
    assert.equal(await page.locator(".graph .event").count(), 6);
    assert.match(await page.innerText(".result .verdict"), /No interleaving.*could not happen.*—(po|fr)→/s);
    await quiet();
  },

  async "a test runs while it is typed, and Tab leaves the editor"() {
    const { page, verdict, type, quiet } = await open();
    await verdict("Sometimes");
    await type(mp);
    await verdict("Never: none of 3 final states");
    assert.equal(await page.locator("#example").inputValue(), "");
    for (const key of "1:EBX=0".split("").reverse()) assert.ok(key), await page.keyboard.press("ArrowLeft"); // into the condition
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => document.activeElement.id), "test");
    await quiet();
  },

  async "models that are for the test can be chosen, and matter"() {
    const { page, verdict, quiet } = await open("#example=perf-ring/c11/ring-LB+acq+rlx");
    await verdict("Never");
    assert.match(await page.innerText("#verdict-detail"), /claims that this never happens\. It holds under rc11/);
    assert.deepEqual(await texts(page, "#model option"), ["rc11", "c11", "sc"]);
    await page.selectOption("#model", "c11");
    await verdict("Sometimes: 1 of 3");
    assert.match(await page.innerText("#verdict-detail"), /Refuted under c11/);
    await page.selectOption("#example", "x86/SB");
    await verdict("Sometimes: 1 of 4");
    assert.equal(await page.locator("#model").inputValue(), "x86-tso");
    await quiet();
  },

  async "a data race is told before anything else"() {
    const { page, verdict, quiet } = await open("#example=perf-ring/c11/ring-MP-na+rlx+acq");
    await verdict("Sometimes");
    assert.match(await page.innerText(".warnings"), /A data race: .* promise nothing/);
    await quiet();
  },

  async "an error is told beside the text, with its line and column, until it is mended"() {
    const { page, verdict, type, quiet } = await open();
    await type(mp.replace("MOV EBX", "MOVE EBX"));
    await page.waitForSelector("#problem");
    assert.match(await page.innerText("#problem"), /^Line 5, column 15: .*move/);
    assert.equal(await page.innerText(".cm-lintRange-error"), "MOVE");
    assert.equal(await page.locator("#verdict").count(), 0);
    await type("");
    await page.waitForFunction(() => /^Line 1, column 1: /.test(document.querySelector("#problem")?.innerText ?? ""));
    await type(mp);
    await verdict("Never");
    assert.equal(await page.locator("#problem, .cm-lintRange-error").count(), 0);
    await quiet();
  },

  async "a test that takes long can be stopped, or overtaken by the next"() {
    const { page, verdict, type, quiet } = await open();
    await verdict("Sometimes");
    await type(mp.replace("MOV", "MOVE"));
    await page.waitForSelector("#problem");
    await type(long);
    await page.waitForSelector("#running");
    assert.equal(await page.locator("#problem").count(), 0);
    await page.click("#stop");
    assert.match(await page.innerText("#stopped"), /Stopped after .*: no verdict/);
    assert.equal(await page.locator("#running").count(), 0);
    await page.click("#run");
    await page.waitForSelector("#running");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#stopped");
    await page.click("#run");
    await page.waitForSelector("#running");
    await type(mp);
    await verdict("Never: none of 3 final states");
    await quiet();
  },

  async "loops go round as often as is asked"() {
    const loop = "C L\n{ }\nP0(atomic_int *x) {\n  atomic_store_explicit(x, 1, memory_order_relaxed);\n}\nP1(atomic_int *x) {\n  int r0 = 0;\n  while (r0 == 0) {\n    r0 = atomic_load_explicit(x, memory_order_relaxed);\n  }\n}\nexists (1:r0=1)\n";
    const { page, verdict, type, quiet } = await open();
    await type(loop);
    await verdict("Always");
    const executions = async () => Number(/: (\d+) execution/.exec(await page.innerText("#verdict-figures"))[1]);
    assert.match(await page.innerText(".warnings"), /cut off after 2 rounds/);
    assert.equal(await executions(), 2);
    await page.fill("#unroll", "5");
    await page.waitForFunction(() => /after 5 rounds/.test(document.querySelector(".warnings").innerText));
    assert.equal(await executions(), 5);
    await page.waitForFunction(() => location.hash.endsWith("&unroll=5"));
    await quiet();
  },

  async "executions are stepped through, and their events, and the line of the test is marked"() {
    const { page, verdict, quiet } = await open();
    await verdict("Sometimes");
    const count = () => page.innerText("#execution-count");
    assert.equal(await count(), "execution 1 of 4");
    assert.ok(await page.isDisabled("#execution-back"));
    await page.click("#execution-forward");
    assert.equal(await count(), "execution 2 of 4");
    assert.match(await page.innerText(".result .verdict"), /An interleaving\..*take turns in the order listed/s);
    assert.equal(await page.locator(".graph .event.culprit").count(), 0);
    await page.locator("#states tbody button").nth(3).click();
    assert.equal(await count(), "execution 4 of 4");
    assert.equal(await page.innerText("#execution-state"), "0:EAX=1; 1:EAX=1;");
    assert.equal(await page.innerText("#step-count"), "step 6 of 6");
    await page.focus(".explorer");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.innerText("#step-count"), "step 3 of 6");
    assert.match(await page.innerText("#step-now"), /P0 c: W x = 1/);
    await page.waitForFunction(() => document.querySelector(".editor .event-line")?.innerText.includes("MOV [x],$1"));
    await quiet();
  },

  async "the relations of the graph can be switched, and stay so in the next execution"() {
    const { page, verdict, quiet } = await open("#example=perf-ring/aarch64/ring-LB+ctrl+none");
    await verdict("Sometimes");
    const edges = (name) => page.locator(`.graph .edge[data-relation=${name}]`).count();
    assert.ok((await edges("rf")) && (await edges("ctrl")) && (await edges("po")));
    await page.uncheck("input[data-relation=rf]");
    await page.uncheck("input[data-relation=ctrl]");
    assert.deepEqual([await edges("rf"), await edges("ctrl")], [0, 0]);
    await page.click("#execution-back");
    assert.equal(await edges("rf"), 0);
    await page.check("input[data-relation=rf]");
    assert.ok(await edges("rf"));
    await quiet();
  },

  async "the address is a link to the test and its model"() {
    const { page, verdict, type, quiet } = await open();
    await verdict("Sometimes");
    await type(mp.replace("MP", "MP-éß"));
    await verdict("Never: none of 3");
    await page.selectOption("#model", "sc");
    await page.waitForFunction(() => location.hash.endsWith("&model=sc"));
    const again = await open(new URL(page.url()).hash);
    await again.verdict("Never: none of 3");
    assert.match(await again.page.innerText("#verdict-detail"), /under sc/);
    assert.match(await again.page.innerText("#verdict-figures"), /^MP-éß: /);
    assert.equal(await again.page.locator("#model").inputValue(), "sc");
    assert.equal(await again.page.innerText(".cm-content"), await page.innerText(".cm-content"));
    await again.page.click("#copy-link");
    await again.page.waitForFunction(() => document.querySelector("#copied").innerText);
    await again.page.evaluate(() => (location.hash = "#example=x86/INC"));
    await again.verdict("Sometimes: 1 of 2");
    await again.quiet();
    await quiet();
  },

  async "a link that is damaged, too long or of nothing says so"() {
    const bomb = await (await import("node:util")).promisify((await import("node:zlib")).deflateRaw)(Buffer.alloc(5_000_000, 32));
    for (const hash of ["#test=AAAA", "#test=%%%", `#test=${bomb.toString("base64url")}`, "#example=no/such"]) {
      const { page, quiet } = await open(hash);
      assert.match(await page.innerText("#notice"), /damaged|no example no\/such/);
      await quiet();
    }
  },

  async "hostile text stays text"() {
    const evil = "<img src=x onerror=alert(1)><script>alert(2)</script>";
    const { page, verdict, type, quiet } = await open();
    await type(mp.replace("MP", `MP${evil.replace(/ /g, "_")}`));
    await page.waitForSelector(".result:not(.stale) #verdict, #problem");
    await type(mp.replace("MOV EAX", evil));
    await page.waitForFunction(() => document.querySelector("#problem")?.innerText.startsWith("Line 4"));
    await type(evil);
    await page.waitForFunction(() => document.querySelector("#problem")?.innerText.startsWith("Line 1"));
    assert.equal(await page.locator("img, #app script").count(), 0);
    await type(mp.replace("exists", "locations [x; y;]\nexists"));
    await verdict("Never");
    await quiet();
  },

  async "the ring's explorer shows what goes wrong without each barrier"() {
    const { page, quiet } = await open("#ring=C");
    const chosen = () => page.locator("#explorer-choice option:checked").innerText();
    assert.match(await chosen(), /^without C · spsc_queue/);
    assert.match(await page.innerText(".explorer .verdict"), /race/i);
    assert.match(await page.innerText("#step-now"), /\.hpp:\d+/);
    assert.ok((await page.locator(".source .line").count()) > 3);
    const letters = await page.locator("#explorer-choice option").evaluateAll((all) => all.map((o) => o.text[8]).join(""));
    assert.equal(letters, "AAABBBCCCDDD");
    await page.selectOption("#explorer-choice", { index: 9 });
    assert.match(await chosen(), /^without D/);
    await page.waitForFunction(() => location.hash === "#ring=D");
    await page.click("nav >> text=Litmus tests");
    await page.waitForSelector("#verdict");
    await quiet();
  },

  async "it fits a phone, in light and dark"() {
    for (const colorScheme of ["light", "dark"])
      for (const hash of ["", "#example=perf-ring/lkmm/ring-full+ctrl-wmb-ctrlrmb-mb", "#ring=A"]) {
        const { page, quiet } = await open(hash, { viewport: { width: 360, height: 740 }, colorScheme });
        await page.waitForSelector("#verdict, #ring");
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, hash);
        const [ground, text] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]);
        const sum = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0);
        assert.equal(sum(ground) > sum(text), colorScheme === "light");
        await quiet();
      }
  },

  async "axe finds nothing, in light and dark, in a verdict, an error and the ring"() {
    for (const colorScheme of ["light", "dark"]) {
      const { page, verdict, type, quiet } = await open("#example=perf-ring/aarch64/ring-LB+ctrl+none", { colorScheme });
      await verdict("Sometimes");
      assert.deepEqual(await violations(page), []);
      await type("X86 T\n{ }\n P0 ;\n MOVE ;\n");
      await page.waitForSelector("#problem");
      assert.deepEqual(await violations(page), []);
      await page.click("nav >> text=barriers");
      await page.waitForSelector("#ring");
      assert.deepEqual(await violations(page), []);
      await quiet();
    }
  },
};

assert.ok(example("x86/SB.litmus").includes("exists (0:EAX=0 /\\ 1:EAX=0)"), "the first example is not what these tests are about");
const filter = process.argv[3] ?? "";
let failed = 0;
for (const [name, test] of Object.entries(tests).filter(([name]) => name.includes(filter)))
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.error(`FAILED  ${name}\n${error.stack}`);
  }
await browser.close();
process.exit(failed ? 1 : 0);
