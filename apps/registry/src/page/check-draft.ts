/// <reference lib="dom" /> The script of the page where people check a manifest before they publish it; it is bundled
/// into one file.

import type { Change, Language, ManifestWarning } from "@agentprint/manifest";
import { TEXTS } from "./texts.ts";

/** An answer from the registry: a preview, an accepted version, or a problem. */
interface Answer {
  readonly capability_manifest_version: number;
  readonly capability_manifest_hash: string;
  readonly breaking_changes: readonly Change[];
  readonly unclassified_changes?: readonly Change[];
  readonly non_breaking_changes?: readonly Change[];
  readonly warnings?: readonly ManifestWarning[];
  readonly detail?: string;
  readonly errors?: readonly {
    readonly detail: string;
    readonly pointer?: string;
    readonly line?: number;
    readonly column?: number;
  }[];
}

const language = document.documentElement.lang as Language;
const texts = TEXTS[language];
const form = document.querySelector("#draft") as HTMLFormElement;
const result = document.querySelector("#result") as HTMLElement;
const publish = document.querySelector("#publish") as HTMLButtonElement;
const fieldOf = (id: string): string => (document.getElementById(id) as HTMLInputElement).value;
const address = `/agents/${form.dataset["agent"]}`;

/** The text that was checked, and the version with which it was compared. */
let checked: { readonly text: string; readonly tag: string } | undefined;

function say(title: string, lines: readonly string[], kind: "good" | "bad" | "odd"): void {
  const heading = document.createElement("p");
  const badge = document.createElement("span");
  badge.className = `badge ${kind}`;
  badge.textContent = title;
  heading.append(badge);
  const list = document.createElement("ul");
  for (const line of lines) list.appendChild(document.createElement("li")).textContent = line;
  result.append(heading, ...(lines.length > 0 ? [list] : []));
}

async function send(
  query: string,
  text: string,
  tag: string,
): Promise<{ readonly ok: boolean; readonly answer: Answer }> {
  const headers = {
    authorization: `Bearer ${fieldOf("key").trim()}`,
    "content-type": "application/json",
    "if-match": tag,
  };
  const response = await fetch(address + query, { method: "PATCH", headers, body: text });
  return { ok: response.ok, answer: (await response.json()) as Answer };
}

function refuse({ detail = "", errors = [] }: Answer): void {
  const lines = errors.map(({ detail: what, pointer = "", line, column }) => {
    const place = line === undefined ? pointer : `${line}:${column} ${pointer}`;
    return place === "" ? what : `${place}: ${what}`;
  });
  say(texts.draftRefused, lines.length > 0 ? lines : [detail], "bad");
}

function preview(answer: Answer): void {
  const { breaking_changes, unclassified_changes = [], non_breaking_changes = [], warnings = [] } = answer;
  say(texts.draftNext(answer.capability_manifest_version), [], "good");
  const others = [...unclassified_changes, ...non_breaking_changes];
  const groups = [
    [texts.breakingTitle, breaking_changes, "bad"],
    [texts.weakensTitle, others.filter((change) => change.weakens_consent), "bad"],
    [texts.diff, others.filter((change) => !change.weakens_consent), "good"],
  ] as const;
  for (const [title, changes, kind] of groups) {
    if (changes.length > 0)
      say(
        title,
        changes.map(({ message }) => message[language]),
        kind,
      );
  }
  if (warnings.length > 0)
    say(
      texts.warnings,
      warnings.map(({ path, message }) => `${path}: ${message}`),
      "odd",
    );
}

async function attempt(work: () => Promise<void>): Promise<void> {
  result.replaceChildren();
  publish.hidden = true;
  try {
    await work();
  } catch (error) {
    say(texts.draftFailed, [error instanceof Error ? error.message : String(error)], "bad");
  }
}

async function check(): Promise<void> {
  const text = fieldOf("manifest");
  const present = (await (await fetch(address)).json()) as Answer;
  const tag = `"${present.capability_manifest_version}-${present.capability_manifest_hash}"`;
  const { ok, answer } = await send("?dry_run=true", text, tag);
  if (!ok) return refuse(answer);
  preview(answer);
  checked = { text, tag };
  publish.hidden = false;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void attempt(check);
});
// Publishes the text that was checked, on top of the version with which it was compared.
publish.addEventListener("click", () => {
  void attempt(async () => {
    if (!checked) return;
    const { ok, answer } = await send("", checked.text, checked.tag);
    if (!ok) refuse(answer);
    else say(texts.draftPublished(answer.capability_manifest_version), [], "good");
  });
});
