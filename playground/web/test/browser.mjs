// SPDX-License-Identifier: Apache-2.0
// The page in Chromium, as a stranger finds it: every request but that for the page is refused and told.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { chromiumPath } from "../../../reports/web/test/tools.mjs";
import { need } from "./tools.mjs";

const { chromium } = need("playwright-core");
export const axe = need("axe-core");

export const launch = () => chromium.launch({
  executablePath: chromiumPath(),
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

export async function visit(browser, file, hash = "", options = {}) {
  const url = pathToFileURL(file).href;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const seen = { requests: [], errors: [], dialogs: [] };
  await context.route("**/*", (route) => {
    const wanted = route.request().url();
    if (wanted.split("#")[0] === url) return route.continue();
    seen.requests.push(wanted);
    return route.abort();
  });
  const page = await context.newPage();
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && seen.errors.push(m.text()));
  page.on("pageerror", (e) => seen.errors.push(e.message));
  page.on("dialog", (d) => (seen.dialogs.push(d.message()), d.dismiss()));
  await page.goto(url + hash);
  await page.waitForSelector(".editor, #ring");
  return {
    page,
    verdict: (words) => page.waitForFunction((w) => document.querySelector(".result:not(.stale) #verdict")?.textContent.includes(w), words),
    async type(text) {
      await page.click(".cm-content");
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(text);
    },
    async quiet() {
      await page.waitForTimeout(50);
      assert.deepEqual(seen, { requests: [], errors: [], dialogs: [] });
      await context.close();
    },
  };
}
