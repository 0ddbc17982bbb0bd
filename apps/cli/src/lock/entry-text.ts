import { escapeText } from "@agentprint/canonical-json/text";
import {
  type LockedContent,
  type LockedItem,
  type LockedPolicy,
  type LockedServer,
  type LockedTool,
  readableContent,
  varyingInWords,
} from "@agentprint/mcp-lock/lock";
import { formatJson } from "../files/format-json.ts";
import { acceptedInWords } from "../policy/policy-words.ts";
import type { Context } from "../run/context.ts";
import { coverageInWords } from "./coverage-words.ts";
import { itemsInWords, launchInWords, loginInWords, sessionsInWords, setHashesInWords } from "./entry-summary.ts";

const LABEL_WIDTH = 10;

/** A value in a lock with its title, and the lines between the two. */
interface Section {
  readonly title: string;
  readonly labelled?: readonly (readonly [label: string, text: string])[];
  readonly value: unknown;
  readonly seenBy?: readonly string[];
}

/** Writes the complete entry of a server in readable form, with invisible characters escaped. */
export function writeEntry(context: Context, entry: LockedServer, policy: LockedPolicy | undefined): void {
  const { stdout } = context;
  const { clientCapabilities, sessions, unstable = [], varies = [], parts, ...items } = entry;
  const coverage = coverageInWords(entry);
  stdout.write(`${context.colorsOf(stdout).bold(escapeText(entry.name))} ${itemsInWords(entry)}\n`);
  writeLabelled(context, [
    ["launch", launchInWords(entry)],
    ...(coverage === undefined ? [] : [["covered", coverage] as const]),
    ...(entry.auth === undefined ? [] : [["login", loginInWords(entry.auth)] as const]),
    ["seen", sessionsInWords(entry)],
    ["digest", entry.digest],
    ["tools", entry.toolsDigest],
    ["set hash", setHashesInWords(entry)],
    ["policy", acceptedInWords(policy)],
    ...(unstable.length === 0 ? [] : [["unstable", unstable.join(", ")] as const]),
    ...varies.map((member) => ["may vary", varyingInWords(member)] as const),
  ]);
  const sections: readonly Section[] = [
    { title: "client capabilities", value: clientCapabilities },
    { title: "sessions", value: sessions },
    ...parts.map(({ part, ...said }) => ({ title: part, ...said })),
    ...items.tools.map(toolSection),
    ...items.prompts.map((prompt) => itemSection("prompt", "name", prompt)),
    ...items.resources.map((resource) => itemSection("resource", "uri", resource)),
    ...items.resourceTemplates.map((template) => itemSection("resource template", "uriTemplate", template)),
    ...items.contents.map(contentSection),
  ];
  for (const section of sections) {
    stdout.write("\n");
    writeSection(context, section);
  }
}

/** Writes a tool as a lock holds it: its digest and the digest of each layer, and the definition. */
export function writeTool(context: Context, tool: LockedTool): void {
  writeSection(context, toolSection(tool));
}

function toolSection({ definition, digests: { wire, contract, prose, hints, rest }, ...seen }: LockedTool): Section {
  const labelled = Object.entries({ wire, contract, prose, hints, rest });
  return { title: `tool ${definition["name"]}`, labelled, value: definition, ...seen };
}

function itemSection(words: string, key: string, { definition, digest, ...seen }: LockedItem): Section {
  return { title: `${words} ${definition[key]}`, labelled: [["digest", digest]], value: definition, ...seen };
}

function contentSection({ result, ...content }: LockedContent): Section {
  const value = readableContent({ ...content, ...(result && { result }) });
  return { ...itemSection("content", "name", content), value };
}

function writeSection(context: Context, { title, labelled = [], value, seenBy }: Section): void {
  const { bold, dim } = context.colorsOf(context.stdout);
  const seen = seenBy === undefined ? "" : dim(` (seen by ${seenBy.join(", ")})`);
  context.stdout.write(`${bold(escapeText(title))}${seen}\n`);
  writeLabelled(context, labelled);
  context.stdout.write(`${formatJson(value, 2).trimEnd().replaceAll(/^/gm, "  ")}\n`);
}

function writeLabelled(context: Context, lines: NonNullable<Section["labelled"]>): void {
  const { dim } = context.colorsOf(context.stdout);
  for (const [label, text] of lines) {
    context.stdout.write(`  ${dim(label.padEnd(LABEL_WIDTH))}${escapeText(text)}\n`);
  }
}
