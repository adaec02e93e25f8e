// SPDX-License-Identifier: Apache-2.0
import examples from "virtual:examples";
import { useEffect, useRef, useState } from "preact/hooks";
import { GlossaryTip } from "../../../reports/web/src/term";
import { ThemeButton } from "../../../reports/web/src/theme";
import { type Place, type Shared, pack, unpack } from "./link";
import { Ring } from "./ring";
import type { Simulation } from "./simulation";
import { Tests } from "./tests";

const sharedOf = (id: string, model = ""): Shared | null => {
  const example = examples.find((e) => e.id === id);
  return example ? { text: example.text, model, unroll: 2 } : null;
};

export function App({ simulation, place }: { simulation: Simulation; place: Place | null }) {
  const [ring, setRing] = useState<string | null>(null);
  const [shared, setShared] = useState<Shared>(() => sharedOf(examples[0]!.id)!);
  const [notice, setNotice] = useState("");
  const [ready, setReady] = useState(false);

  const follow = (to: Place | null) => {
    setNotice("");
    setRing(to?.kind === "ring" ? to.letter : null);
    if (to?.kind === "test") setShared(to.shared);
    if (to?.kind === "broken") setNotice("This link is damaged: its test cannot be read. Ask for it again, whole.");
    if (to?.kind === "example") {
      const example = sharedOf(to.id, to.model);
      if (example) setShared(example);
      else setNotice(`There is no example ${to.id}. Choose one from the list.`);
    }
  };
  useEffect(() => {
    follow(place);
    setReady(true);
    const onHash = () => void unpack(location.hash).then(follow);
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);

  // The address is always the link to what is seen.
  const newest = useRef(0);
  useEffect(() => {
    if (!ready || notice) return;
    const mine = ++newest.current;
    const to = ring === null ? pack(shared) : Promise.resolve(`#ring=${encodeURIComponent(ring)}`);
    to.then((hash) => mine === newest.current && history.replaceState(null, "", hash));
  }, [shared, ring, ready, notice]);

  return (
    <>
      <header class="top">
        <a class="brand" href="#">ringproof playground</a>
        <nav aria-label="Parts">
          <a href="#" aria-current={ring === null ? "page" : undefined}>Litmus tests</a>
          <a href="#ring=A" aria-current={ring === null ? undefined : "page"}>The ring's barriers</a>
        </nav>
        <ThemeButton />
      </header>
      <main>
        {notice ? <p class="problem" id="notice" role="alert">{notice}</p> : null}
        {!ready ? null : ring === null
          ? <Tests simulation={simulation} shared={shared} onChange={(to) => (setNotice(""), setShared(to))} />
          : <Ring letter={ring} onChoose={setRing} />}
      </main>
      <GlossaryTip />
      <footer>The simulator runs in this page, as WebAssembly. Nothing leaves it: no test is sent anywhere.</footer>
    </>
  );
}
