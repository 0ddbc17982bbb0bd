import { isSameJson, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { ConfigPath, TableNode } from "./config-node.ts";
import { flowText, insertIntoFlow, removeFromFlow } from "./edit-flow.ts";
import { insertLine, insertSection, removeLines, removeSection } from "./edit-toml.ts";
import { ClientConfigError } from "./errors.ts";
import { parseConfig } from "./parse-config.ts";
import { nodeAt, type ParsedConfig, plainValue } from "./parsed-config.ts";
import { applySplices, type Splice } from "./splice.ts";

/**
 * Returns the configuration with the text at a path replaced. Every byte outside the old text is unchanged.
 *
 * @throws {@link ClientConfigError} when there is no text at the path, or the format cannot write the new one
 */
export async function replaceText(config: ParsedConfig, path: ConfigPath, text: string): Promise<ParsedConfig> {
  const node = nodeAt(config, path);
  if (node?.kind !== "scalar" || typeof node.value !== "string") throw cannotEdit(config, path);
  const { start, end } = node;
  const old = config.text.slice(start, end);
  return editValue(config, path, [{ start, end, text: textLike(config, text, old) }], text);
}

/**
 * Returns the configuration with one more member, and with the tables that lead to it. Every existing byte is
 * unchanged, and {@link removeMember} removes the added bytes again.
 *
 * @throws {@link ClientConfigError} when the member already exists, or the place cannot have one
 */
export async function addMember(config: ParsedConfig, path: ConfigPath, value: JsonValue): Promise<ParsedConfig> {
  const [parent, name] = [path.slice(0, -1), String(path.at(-1))];
  const node = nodeAt(config, parent);
  const isSection = config.format === "toml" && isObject(value) && (node === undefined || isSections(node));
  if (nodeAt(config, path) !== undefined) throw cannotEdit(config, path);
  if (isSection) return editValue(config, path, [insertSection(config.text, path.map(String), value)], value);
  if (node === undefined && parent.length > 0) return addMember(config, parent, { [name]: value });
  if (node?.kind !== "table") throw cannotEdit(config, path);
  return editValue(config, path, await insertion(config, node, name, value), value);
}

/**
 * Returns the configuration without a member. Comments around the member are kept.
 *
 * @throws {@link ClientConfigError} when there is no such member, or other lines would have to change
 */
export async function removeMember(config: ParsedConfig, path: ConfigPath): Promise<ParsedConfig> {
  const parent = nodeAt(config, path.slice(0, -1));
  const member = parent?.kind === "table" && parent.members.find(({ name }) => name === path.at(-1));
  if (!member || parent?.kind !== "table") throw cannotEdit(config, path);
  const { text } = config;
  if (parent.layout === "flow") {
    const splices = [false, true].map((keepsBreak) => removeFromFlow(text, parent, member, keepsBreak));
    const [whole, allButBreak] = splices as [Splice[], Splice[]];
    return editValue(config, path, whole, undefined).catch(() => editValue(config, path, allButBreak, undefined));
  }
  const isSection = isSections(member.value);
  return editValue(
    config,
    path,
    [isSection ? removeSection(text, member.value) : removeLines(text, member)],
    undefined,
  );
}

async function insertion(config: ParsedConfig, node: TableNode, name: string, value: JsonValue): Promise<Splice[]> {
  if (node.layout === "flow") return [insertIntoFlow(config, node, name, value)];
  if (node.layout === "sections") return [insertLine(config.text, node, name, value)];
  const { insertIntoBlock } = await import("./edit-yaml.ts");
  return [insertIntoBlock(config.text, node, name, value)];
}

function isSections(node: ParsedConfig["root"]): boolean {
  return node.kind === "table" && node.layout === "sections";
}

/**
 * Applies an edit; refuses an edit that changes the meaning of the file beyond this value.
 *
 * @throws {@link ClientConfigError} when the edit changes another value
 */
export async function editValue(
  config: ParsedConfig,
  path: ConfigPath,
  splices: readonly Splice[],
  value: JsonValue | undefined,
): Promise<ParsedConfig> {
  const edited = await parseConfig(applySplices(config.text, splices), config.file).catch(() => undefined);
  if (edited === undefined) throw cannotEdit(config, path);
  const expected = withValue(plainValue(config, config.root), path, value);
  const found = withValue(
    plainValue(edited, edited.root),
    path,
    value === undefined ? undefined : valueAt(edited, path),
  );
  if (!isSameJson(expected as JsonValue, found as JsonValue)) throw cannotEdit(config, path);
  return { ...edited, hasMark: config.hasMark };
}

function valueAt(config: ParsedConfig, path: ConfigPath): unknown {
  const node = nodeAt(config, path);
  return node && plainValue(config, node);
}

/**
 * Returns a plain value with the value at a path replaced; `undefined` removes it. Missing or null tables on the way
 * are created.
 */
function withValue(root: unknown, [step, ...rest]: ConfigPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(root)) return root.map((item, index) => (index === step ? withValue(item, rest, value) : item));
  const members = Object.entries(isObject(root) ? root : {}).filter(([name]) => name !== String(step));
  const inner = withValue(isObject(root) ? root[String(step)] : undefined, rest, value);
  return Object.fromEntries(inner === undefined ? members : [...members, [String(step), inner]]);
}

function isObject(value: unknown): value is Readonly<Record<string, JsonValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a text in a configuration's format; an unquoted YAML text stays unquoted if it needs no quotes. */
export function textLike({ format }: ParsedConfig, text: string, old: string): string {
  if (format === "yaml" && /^[^"'|>]/.test(old) && /^[A-Za-z][\w@./=+-]*$/.test(text)) return text;
  return format === "yaml" && old.endsWith("\n") ? `${flowText(format, text)}\n` : flowText(format, text);
}

/** Returns the `invalid-config` error for a place that cannot be edited without changing its surroundings. */
export function cannotEdit({ file }: ParsedConfig, path: ConfigPath): ClientConfigError {
  return new ClientConfigError(`${file} cannot be edited at ${path.join(".")}`, {
    expected: "a place that can be changed without changing the lines around it",
    fix: "make this edit by hand",
  });
}
