import { printable } from "@agentprint/canonical-json";
import { show } from "../json.ts";
import { DEFAULT_TIMEOUT_MS, MAX_SHOWN_UNITS } from "../limits.ts";
import type { Change, ChangeKind, RawChange } from "./change.ts";

type Sentence = (change: RawChange, name: string) => string;

const SENTENCES: Readonly<Record<ChangeKind, readonly [en: Sentence, zh: Sentence]>> = {
  tool_removed: [(_, name) => `Tool ${name} was removed`, (_, name) => `工具 ${name} 已删除`],
  tool_added: [(_, name) => `Tool ${name} was added`, (_, name) => `新增工具 ${name}`],
  input_schema_changed: [
    (_, name) => `The input_schema of tool ${name} changed`,
    (_, name) => `工具 ${name} 的参数定义已修改`,
  ],
  permission_scope_escalated: [
    ({ from, to }, name) => `Tool ${name} needs a more sensitive permission: ${from} before, ${to} after`,
    ({ from, to }, name) => `工具 ${name} 所需权限的敏感度提升:${from} → ${to}`,
  ],
  permission_scope_changed: [
    ({ from, to }, name) =>
      from === to
        ? `Tool ${name} needs another permission of the same sensitivity (${to})`
        : `Tool ${name} needs a less sensitive permission: ${from} before, ${to} after`,
    ({ from, to }, name) =>
      from === to ? `工具 ${name} 改用另一权限,敏感度不变(${to})` : `工具 ${name} 所需权限的敏感度降低:${from} → ${to}`,
  ],
  permission_scope_removed: [
    (_, name) => `Permission ${name} was removed and can no longer be granted`,
    (_, name) => `权限 ${name} 已删除,无法再被授权`,
  ],
  permission_scope_added: [
    (_, name) => `Permission ${name} was added; it is not granted until users agree`,
    (_, name) => `新增权限 ${name},默认未授权`,
  ],
  sensitivity_changed: [
    ({ from, to }, name) => `The sensitivity of permission ${name} changed: ${from} before, ${to} after`,
    ({ from, to }, name) => `权限 ${name} 的敏感度已修改:${from} → ${to}`,
  ],
  description_changed: [
    (_, name) => `The description of tool ${name} changed`,
    (_, name) => `工具 ${name} 的说明文案已修改`,
  ],
  label_changed: [(_, name) => `The label of permission ${name} changed`, (_, name) => `权限 ${name} 的文案已修改`],
  timeout_changed: [
    ({ before, after }, name) =>
      `The time limit of tool ${name} changed: ${limit(before)} before, ${limit(after)} after`,
    ({ before, after }, name) => `工具 ${name} 的超时已修改:${limit(before)} → ${limit(after)}`,
  ],
  capability_flag_revoked: [
    (_, name) => `Capability ${name} is no longer declared`,
    (_, name) => `能力 ${name} 已撤销`,
  ],
  capability_flag_enabled: [(_, name) => `Capability ${name} is now declared`, (_, name) => `新增能力 ${name}`],
  capability_flag_shape_changed: [
    ({ before }, name) =>
      `Capability ${name} stays off; the manifest ${before === undefined ? "now" : "no longer"} declares it`,
    ({ before }, name) => `能力 ${name} 仍为关闭,${before === undefined ? "改为显式写出" : "不再写出"}`,
  ],
  agent_version_changed: [
    ({ before, after }) => `The agent's version changed from ${show(before)} to ${show(after)}`,
    ({ before, after }) => `Agent 版本由 ${show(before)} 改为 ${show(after)}`,
  ],
  tools_reordered: [() => "The order of the tools changed", () => "工具的顺序已修改"],
  permission_scopes_reordered: [() => "The order of the permissions changed", () => "权限的顺序已修改"],
};

function limit(value: unknown): string {
  return `${value ?? DEFAULT_TIMEOUT_MS} ms`;
}

/**
 * Adds the sentences to a change. The manifest's author chooses the names in them, so invisible characters are escaped.
 */
export function describeChange(change: RawChange): Change {
  const [en, zh] = SENTENCES[change.kind];
  const name = printable(change.tool ?? change.scope ?? change.flag ?? "", MAX_SHOWN_UNITS);
  return {
    ...change,
    message: { en: en(change, name), zh: zh(change, name) },
    weakens_consent: change.weakens_consent ?? false,
  };
}
