import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import mark from "../../../docs/pictures/mark.svg?inline";
import { describeError } from "./engine/describe-error.ts";
import { OpenedTool } from "./opened-tool.tsx";
import { parseFragment, type Shared } from "./share/fragment.ts";
import { STATES, TOOLS, type ToolName, type ToolState } from "./share/tools.ts";
import { STORIES } from "./stories/stories.ts";
import { type Language, LanguageContext, preferredLanguage, storeLanguage, TEXTS } from "./texts/language.ts";
import { Offline } from "./view/offline.tsx";
import { SharePanel } from "./view/share-panel.tsx";
import { Shown } from "./view/shown.tsx";
import { StoryBar } from "./view/story-bar.tsx";
import { StartsContext, StoryContext } from "./view/tool-form.tsx";

type States = { readonly [Name in ToolName]: ToolState<Name> };

const EMPTY = Object.fromEntries(TOOLS.map((name) => [name, STATES[name].parse({})])) as States;

/** A tool, and the new values of its fields. */
interface Filled {
  readonly tool: ToolName;
  readonly state: Shared["state"] | ToolState<ToolName>;
}

interface Opened {
  readonly tool: ToolName;
  readonly states: States;
  /** How often fields were filled or emptied from outside the tool; each time the tool restarts. */
  readonly fillings: number;
  /** The tools whose fields were filled with their examples. */
  readonly stories: readonly ToolName[];
  /** Why a link or a saved file was not read. */
  readonly refusal?: string;
}

const BEGINNING: Opened = { tool: "canonical", states: STORIES, fillings: 0, stories: TOOLS };

/** Shows the complete page: the tools, one of which is open, and the parts that they share. */
export function App(): JSX.Element {
  const [language, setLanguage] = useState(preferredLanguage);
  const [opened, setOpened] = useState<Opened>(() => fromAddress(BEGINNING));
  const { tool, states, fillings, stories, refusal } = opened;
  const texts = TEXTS[language];
  const isStory = stories.includes(tool);
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
  const fill = (to: States): void => {
    history.replaceState(null, "", `#${tool}`);
    setOpened((now) => {
      const filled = withShared(now, { tool, state: to[tool] });
      return to === STORIES ? { ...filled, stories: [...filled.stories, tool] } : filled;
    });
    document.getElementById("main")?.focus();
  };
  const other = language === "en" ? "zh" : "en";
  return (
    <LanguageContext.Provider value={language}>
      <button class="skip" type="button" onClick={() => document.getElementById("main")?.focus()}>
        {texts.skip}
      </button>
      <header>
        <div class="row between">
          <p class="title">
            <img src={mark} alt="" width="24" height="24" /> {texts.title}
          </p>
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
        <StoryBar
          tool={tool}
          isStory={isStory}
          isEmpty={Object.entries(EMPTY[tool]).every(([name, value]) => Object(states[tool])[name] === value)}
          onEmpty={() => fill(EMPTY)}
          onFill={() => fill(STORIES)}
        />
        <StoryContext.Provider value={isStory}>
          <StartsContext.Provider value={isFilled(states[tool])}>
            <OpenedTool
              key={tool}
              fillings={fillings}
              tool={tool}
              state={states[tool]}
              onChange={(state) => setOpened((now) => ({ ...now, states: { ...now.states, [tool]: state } }))}
            />
          </StartsContext.Provider>
        </StoryContext.Provider>
        <SharePanel tool={tool} state={states[tool]} onOpen={open} />
      </main>
      <footer>
        <p>{texts.privacy}</p>
        <Offline />
      </footer>
    </LanguageContext.Provider>
  );
}

/** Opens the tool that the address names. A link without fields leaves the tool's fields as they are. */
function fromAddress(now: Opened): Opened {
  const { hash } = location;
  const { refusal: _, ...rest } = now;
  try {
    const shared = parseFragment(hash);
    if (shared === undefined) return now;
    return hash.includes("=") ? withShared(now, shared) : { ...rest, tool: shared.tool };
  } catch (error) {
    return { ...now, refusal: describeError(error).message };
  }
}

function withShared({ states, fillings, stories }: Opened, { tool, state }: Filled): Opened {
  return {
    tool,
    states: { ...states, [tool]: state } as States,
    fillings: fillings + 1,
    stories: stories.filter((name) => name !== tool),
  };
}

/** Returns whether a tool's first field holds text, because a file is read only on request. */
function isFilled(state: ToolState<ToolName>): boolean {
  const [first] = Object.values(state);
  return typeof first === "string" && first !== "";
}

/** Prevents a file that is dropped outside the fields from replacing the page. */
function keepDropsHere(): () => void {
  const keep = (event: Event): void => event.preventDefault();
  addEventListener("dragover", keep);
  addEventListener("drop", keep);
  return () => {
    removeEventListener("dragover", keep);
    removeEventListener("drop", keep);
  };
}
