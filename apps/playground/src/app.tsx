import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { describeError } from "./engine/describe-error.ts";
import { parseFragment, type Shared } from "./share/fragment.ts";
import { STATES, TOOLS, type ToolName, type ToolState } from "./share/tools.ts";
import { type Language, LanguageContext, preferredLanguage, storeLanguage, TEXTS } from "./texts/language.ts";
import { Offline } from "./view/offline.tsx";
import { OpenedTool } from "./view/opened-tool.tsx";
import { SharePanel } from "./view/share-panel.tsx";
import { Shown } from "./view/shown.tsx";

type States = { readonly [Name in ToolName]: ToolState<Name> };

const EMPTY = Object.fromEntries(TOOLS.map((name) => [name, STATES[name].parse({})])) as States;

interface Opened {
  readonly tool: ToolName;
  readonly states: States;
  /** Why a link or a saved file was not read. */
  readonly refusal?: string;
}

/** The whole page: the tools, of which one is open, and what is shared. */
export function App(): JSX.Element {
  const [language, setLanguage] = useState(preferredLanguage);
  const [opened, setOpened] = useState<Opened>(() => fromAddress({ tool: "canonical", states: EMPTY }));
  const { tool, states, refusal } = opened;
  const texts = TEXTS[language];
  useEffect(() => {
    const follow = (): void => setOpened(fromAddress);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
    document.title = `${texts[tool].name} · ${texts.title}`;
  }, [language, tool, texts]);
  useEffect(keepDropsHere, []);
  const change = (to: Language): void => {
    storeLanguage(to);
    setLanguage(to);
  };
  const open = (shared: Shared): void => {
    history.replaceState(null, "", `#${shared.tool}`);
    setOpened((now) => withShared(now, shared));
  };
  const other = language === "en" ? "zh" : "en";
  return (
    <LanguageContext.Provider value={language}>
      <button class="skip" type="button" onClick={() => document.getElementById("main")?.focus()}>
        {texts.skip}
      </button>
      <header>
        <div class="row between">
          <p class="title">{texts.title}</p>
          <button type="button" lang={other} onClick={() => change(other)}>
            {texts.otherLanguage}
          </button>
        </div>
        <nav aria-label={texts.tools}>
          <ul class="tabs">
            {TOOLS.map((name) => (
              <li key={name}>
                <a href={`#${name}`} aria-current={name === tool ? "page" : undefined}>
                  {texts[name].name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <h1>{texts[tool].name}</h1>
        <p>{texts[tool].intro}</p>
        {refusal !== undefined && (
          <p class="note bad" role="alert">
            {texts.share.refused}{" "}
            <span lang="en">
              <Shown text={refusal} />
            </span>
          </p>
        )}
        <OpenedTool
          key={tool}
          tool={tool}
          state={states[tool]}
          onChange={(state) => setOpened((now) => ({ ...now, states: { ...now.states, [tool]: state } }))}
        />
        <SharePanel tool={tool} state={states[tool]} onOpen={open} />
      </main>
      <footer>
        <p>{texts.privacy}</p>
        <Offline />
      </footer>
    </LanguageContext.Provider>
  );
}

/** Opens what the address names. A link without fields opens its tool and leaves the fields as they are. */
function fromAddress(now: Opened): Opened {
  const { hash } = location;
  try {
    const shared = parseFragment(hash);
    if (shared === undefined) return now;
    return hash.includes("=") ? withShared(now, shared) : { tool: shared.tool, states: now.states };
  } catch (error) {
    return { ...now, refusal: describeError(error).message };
  }
}

function withShared({ states }: Opened, { tool, state }: Shared): Opened {
  return { tool, states: { ...states, [tool]: state } as States };
}

/** A file that misses the fields must not replace the page. */
function keepDropsHere(): () => void {
  const keep = (event: Event): void => event.preventDefault();
  addEventListener("dragover", keep);
  addEventListener("drop", keep);
  return () => {
    removeEventListener("dragover", keep);
    removeEventListener("drop", keep);
  };
}
