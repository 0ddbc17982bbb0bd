import type { JsonValue } from "@agentprint/canonical-json/json-value";
import {
  ADDRESSES,
  addMember,
  COMMANDS,
  type ConfigNode,
  type ConfigPath,
  cannotEdit,
  editValue,
  flowText,
  lineBreakOf,
  lineStart,
  nodeAt,
  type ParsedConfig,
  plainValue,
  removeMember,
  type Splice,
  textLike,
} from "@agentprint/client-configs";
import { guardOfAddress, guardOfCommand } from "../clients/guarded-launch.ts";

type ListNode = Extract<ConfigNode, { kind: "list" }>;
type ScalarNode = Extract<ConfigNode, { kind: "scalar" }>;

/** The place of an entry's command: one list, or a string and an optional list. */
type CommandPlace =
  | { readonly list: ListNode; readonly listPath: ConfigPath }
  | {
      readonly program: ScalarNode;
      readonly programPath: ConfigPath;
      readonly list: ListNode | undefined;
      readonly listPath: ConfigPath;
    };

/**
 * Returns the configuration with a new prefix before the command of an entry. The bytes of the command are kept among
 * its arguments, so that {@link unwrapEntry} restores the configuration byte for byte.
 *
 * @throws {@link ClientConfigError} when the entry cannot be edited in this way
 */
export async function wrapCommand(
  config: ParsedConfig,
  entry: ConfigPath,
  words: readonly string[],
): Promise<ParsedConfig> {
  const wrapped = await putInFront(config, entry, words);
  const back = await unwrapEntry(wrapped, entry);
  if (back.text !== config.text) throw cannotEdit(config, entry);
  return wrapped;
}

async function putInFront(config: ParsedConfig, entry: ConfigPath, words: readonly string[]): Promise<ParsedConfig> {
  const place = commandPlace(config, entry);
  const [program = "", ...rest] = words;
  if (!("program" in place)) {
    const { list, listPath } = place;
    return editList(
      config,
      listPath,
      list,
      words.map((word) => flowText(config.format, word)),
      [],
      [...words, ...itemsOf(config, list)],
    );
  }
  const { program: node, programPath, list, listPath } = place;
  const raw = config.text.slice(node.start, node.end);
  const before = String(node.value);
  if (list === undefined) {
    const added = await addMember(config, listPath, [...rest, before]);
    const item = (nodeAt(added, listPath) as ListNode).items.at(-1);
    const command = nodeAt(added, programPath);
    if (item === undefined || command === undefined) throw cannotEdit(config, entry);
    const splices = [
      { start: item.start, end: item.end, text: raw },
      { start: command.start, end: command.end, text: textLike(config, program, raw) },
    ];
    return editValue(added, programPath, splices, program);
  }
  const texts = [...rest.map((word) => flowText(config.format, word)), raw];
  const splice = { start: node.start, end: node.end, text: textLike(config, program, raw) };
  const withList = await editList(config, listPath, list, texts, [], [...rest, before, ...itemsOf(config, list)]);
  const shift = list.start < node.start ? withList.text.length - config.text.length : 0;
  const moved = { ...splice, start: splice.start + shift, end: splice.end + shift };
  return editValue(withList, programPath, [moved], program);
}

/** Adds items at the start of a list, each on its own line if the first item is on its own line. */
function editList(
  config: ParsedConfig,
  path: ConfigPath,
  list: ListNode,
  texts: readonly string[],
  others: readonly Splice[],
  value: readonly JsonValue[],
): Promise<ParsedConfig> {
  const { text } = config;
  const [first] = list.items;
  // An existing empty list that is filled begins with a space; an added list does not.
  if (first === undefined) {
    const place = list.start + 1;
    return editValue(config, path, [{ start: place, end: place, text: ` ${texts.join(", ")}` }, ...others], [...value]);
  }
  const line = text.slice(lineStart(text, first.start), first.start);
  const isAlone = /^[ \t]*(?:- +)?$/.test(line);
  const comma = list.layout === "flow" ? "," : "";
  const gap = isAlone ? `${comma}${lineBreakOf(text)}${line}` : `${comma} `;
  const added = texts.map((each) => each + gap).join("");
  return editValue(config, path, [{ start: first.start, end: first.start, text: added }, ...others], [...value]);
}

/**
 * Returns the configuration with the guard's address in front of an entry's address; `front` is the beginning of the
 * new address, which ends with `#`.
 */
export async function wrapAddress(config: ParsedConfig, entry: ConfigPath, front: string): Promise<ParsedConfig> {
  const { node, path } = addressPlace(config, entry);
  const opening = /^(?:"""\n?|'''\n?|["'])?/.exec(config.text.slice(node.start, node.end))?.[0].length ?? 0;
  const place = node.start + opening;
  return editValue(config, path, [{ start: place, end: place, text: front }], front + node.value);
}

/**
 * Returns the configuration without the guard in front of an entry.
 *
 * @throws {@link ClientConfigError} when there is no guard, or the entry cannot be edited
 */
export async function unwrapEntry(config: ParsedConfig, entry: ConfigPath): Promise<ParsedConfig> {
  if (hasAddress(config, entry)) return unwrapAddress(config, entry);
  const place = commandPlace(config, entry);
  const { list, listPath } = place;
  if (list === undefined) throw cannotEdit(config, entry);
  const items = itemsOf(config, list);
  if (!("program" in place)) {
    const guard = guardOfCommand(items.map(String));
    const next = guard && list.items[guard.words];
    const [first] = list.items;
    if (guard === undefined || next === undefined || first === undefined) throw cannotEdit(config, entry);
    return editValue(config, listPath, [{ start: first.start, end: next.start, text: "" }], items.slice(guard.words));
  }
  const { program, programPath } = place;
  const guard = guardOfCommand([String(program.value), ...items.map(String)]);
  // The words of the guard without its program, and then the program of the server.
  const count = (guard?.words ?? 0) - 1;
  const [first, own] = [list.items[0], list.items[count]];
  if (guard === undefined || own?.kind !== "scalar" || typeof own.value !== "string" || first === undefined) {
    throw cannotEdit(config, entry);
  }
  const { text } = config;
  const raw = text.slice(own.start, own.end);
  const next = list.items[count + 1];
  const isFilled = list.layout === "flow" && text.slice(list.start, first.start) === "[ ";
  const back = await editValue(config, programPath, [{ start: program.start, end: program.end, text: raw }], own.value);
  if (next === undefined && !isFilled) return removeMember(back, listPath);
  const shift = program.start < list.start ? back.text.length - text.length : 0;
  const start = next === undefined ? list.start + 1 : first.start;
  const end = next === undefined ? own.end : next.start;
  return editValue(back, listPath, [{ start: start + shift, end: end + shift, text: "" }], items.slice(count + 1));
}

function unwrapAddress(config: ParsedConfig, entry: ConfigPath): Promise<ParsedConfig> {
  const { node, path } = addressPlace(config, entry);
  const guard = guardOfAddress(node.value);
  if (guard === undefined) throw cannotEdit(config, entry);
  const front = node.value.slice(0, node.value.length - guard.url.length);
  const at = config.text.slice(node.start, node.end).indexOf(front);
  if (at === -1) throw cannotEdit(config, entry);
  const start = node.start + at;
  return editValue(config, path, [{ start, end: start + front.length, text: "" }], guard.url);
}

function commandPlace(config: ParsedConfig, entry: ConfigPath): CommandPlace {
  const command = nodeAt(config, [...entry, "command"]);
  // Zed once had the members of a launch below `command`.
  const base = command?.kind === "table" ? [...entry, "command"] : entry;
  if (command?.kind === "list") {
    const listPath = [...entry, "command"];
    // Any `args` would follow the guard's arguments as well.
    return { list: command, listPath };
  }
  const name = command?.kind === "table" ? "path" : command === undefined ? "cmd" : "command";
  const programPath = [...base, name];
  const program = nodeAt(config, programPath);
  const listPath = [...base, "args"];
  const list = nodeAt(config, listPath);
  if (program?.kind !== "scalar" || typeof program.value !== "string" || (list && list.kind !== "list")) {
    throw cannotEdit(config, entry);
  }
  return { program, programPath, list, listPath };
}

function hasAddress(config: ParsedConfig, entry: ConfigPath): boolean {
  const hasCommand = COMMANDS.some((name) => nodeAt(config, [...entry, name]) !== undefined);
  return !hasCommand && ADDRESSES.some((name) => nodeAt(config, [...entry, name]) !== undefined);
}

function addressPlace(
  config: ParsedConfig,
  entry: ConfigPath,
): { readonly node: ScalarNode & { readonly value: string }; readonly path: ConfigPath } {
  for (const name of ADDRESSES) {
    const path = [...entry, name];
    const node = nodeAt(config, path);
    if (node?.kind === "scalar" && typeof node.value === "string")
      return { node: { ...node, value: node.value }, path };
  }
  throw cannotEdit(config, entry);
}

function itemsOf(config: ParsedConfig, list: ListNode): JsonValue[] {
  return list.items.map((item) => plainValue(config, item) as JsonValue);
}
