/// <reference lib="dom" />
// The script of the page where the browser verifies a history; it is bundled into one file.

import type { Language } from "@agentprint/manifest";
import { checkHistory, type HistoryAnswer, type HistoryFindings } from "./check-history.ts";
import { TEXTS } from "./texts.ts";

const texts = TEXTS[document.documentElement.lang as Language];
const form = document.querySelector("#verify") as HTMLFormElement;
const result = document.querySelector("#result") as HTMLElement;

async function* readPages(agentId: string): AsyncGenerator<HistoryAnswer, void> {
  for (let after: number | null = 0; after !== null; ) {
    const response = await fetch(`/agents/${agentId}/history?after=${after}`);
    const body: unknown = await response.json();
    if (!response.ok) throw new Error((body as { detail: string }).detail);
    const page = body as HistoryAnswer;
    yield page;
    after = page.next;
  }
}

function say(text: string, kind: "good" | "bad" | "odd"): void {
  const line = document.createElement("p");
  const badge = document.createElement("span");
  badge.className = `badge ${kind}`;
  badge.textContent = { good: "✓", bad: "✗", odd: "…" }[kind];
  line.append(badge, ` ${text}`);
  result.append(line);
}

function show({ records, signed, kept }: HistoryFindings): void {
  const problems = records.filter(({ finding }) => finding === "altered").length;
  result.replaceChildren();
  if (problems > 0) say(texts.problems(problems), "bad");
  else say(texts.whole(records.length), "good");
  if (signed > 0) say(texts.signedUpTo(signed), "good");
  else say(texts.unsigned, "odd");
  if (kept) say(kept.fits ? texts.keptFits(kept.size) : texts.keptDiffers, kept.fits ? "good" : "bad");
  const rows = records.map(({ version, hash, finding }) => {
    const row = document.createElement("tr");
    for (const text of [String(version), hash.slice(0, 16), texts[finding]]) row.insertCell().textContent = text;
    row.className = finding === "altered" ? "bad" : "";
    return row;
  });
  document.querySelector("#records")?.replaceChildren(...rows);
}

/** Returns why a history could not be verified, in the page's language if the texts contain the reason. */
function reasonOf(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  const known = typeof code === "string" && Object.hasOwn(texts.failures, code) ? texts.failures[code] : undefined;
  return known ?? (error instanceof Error ? error.message : String(error));
}

async function verify(): Promise<void> {
  const fieldOf = (id: string): string => (document.getElementById(id) as HTMLInputElement).value.trim();
  result.replaceChildren();
  say(texts.verifying, "odd");
  const kept = fieldOf("kept");
  try {
    // A note ends with a line feed, which is easily lost when people copy it.
    show(await checkHistory(readPages(form.dataset["agent"] ?? ""), fieldOf("key"), kept === "" ? "" : `${kept}\n`));
  } catch (error) {
    result.replaceChildren();
    say(`${texts.failed} ${reasonOf(error)}`, "bad");
    document.querySelector("#records")?.replaceChildren();
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void verify();
});
void verify();
