// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";

export function ThemeButton() {
  const [theme, setTheme] = useState("");
  useEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  }, [theme]);
  const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  return <button type="button" id="theme" class="plain-button" onClick={() => setTheme(dark ? "light" : "dark")}>{dark ? "Light" : "Dark"}</button>;
}
