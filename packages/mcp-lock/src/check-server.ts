import { lockServer } from "./create-lock.ts";
import { diffTools } from "./diff-tools.ts";
import { diffValues } from "./diff-values.ts";
import { type Drift, PART_WORDS, type ServerDrift, type ServerPart } from "./drift.ts";
import { McpLockError } from "./errors.ts";
import { ITEMS, type ItemKind } from "./item-kinds.ts";
import type { LockedItem, LockedServer, LockedTool } from "./lock.ts";
import { pairByName } from "./pair-by-name.ts";
import type { CheckFailure, ServerSnapshot } from "./snapshot.ts";

const PARTS = Object.keys(PART_WORDS) as ServerPart[];

/** Compares one server with its lock entry; `locked` is `undefined` when it has none. */
export function checkServer(
  server: string,
  locked: LockedServer | undefined,
  found: ServerSnapshot | CheckFailure,
): ServerDrift {
  if ("failure" in found) return failedServer(server, locked, found.failure);
  let current: LockedServer;
  try {
    current = lockServer(server, found);
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    return failedServer(server, locked, { code: error.code, message: error.message });
  }
  const drifts = locked === undefined ? [{ type: "server-not-locked" } as const] : diffServers(locked, current);
  return {
    server,
    outcome: locked?.digest === current.digest ? "same" : "drift",
    drifts,
    checked: namesByKind((kind) =>
      pairByName<LockedEntry>(locked?.[ITEMS[kind].list] ?? [], current[ITEMS[kind].list], kind).map(
        ({ name }) => name,
      ),
    ),
    toolsDigest: { ...(locked && { before: locked.toolsDigest }), after: current.toolsDigest },
    digest: { ...(locked && { before: locked.digest }), after: current.digest },
  };
}

function failedServer(server: string, locked: LockedServer | undefined, failure: CheckFailure["failure"]): ServerDrift {
  return {
    server,
    outcome: "unknown",
    drifts: [],
    failure,
    checked: namesByKind(() => []),
    toolsDigest: locked ? { before: locked.toolsDigest } : {},
    digest: locked ? { before: locked.digest } : {},
  };
}

function diffServers(locked: LockedServer, current: LockedServer): Drift[] {
  if (locked.digest === current.digest) return [];
  return [
    ...PARTS.flatMap((part) => diffPart(part, locked, current)),
    ...diffTools(locked.tools, current.tools),
    ...diffItems("prompt", locked.prompts, current.prompts),
    ...diffItems("resource", locked.resources, current.resources),
    ...diffItems("resourceTemplate", locked.resourceTemplates, current.resourceTemplates),
  ];
}

function diffPart(part: ServerPart, locked: LockedServer, current: LockedServer): Drift[] {
  const changes = diffValues(locked[part], current[part]);
  return changes.length > 0 ? [{ type: "part-changed", part, changes }] : [];
}

function diffItems(
  kind: Exclude<ItemKind, "tool">,
  locked: readonly LockedItem[],
  current: readonly LockedItem[],
): Drift[] {
  return pairByName(locked, current, kind).flatMap(({ name, before, after }): Drift[] => {
    if (before === undefined) return after ? [{ type: "item-added", kind, name, after: after.definition }] : [];
    if (after === undefined) return [{ type: "item-removed", kind, name, before: before.definition }];
    if (before.digest === after.digest) return [];
    return [{ type: "item-changed", kind, name, changes: diffValues(before.definition, after.definition) }];
  });
}

type LockedEntry = LockedTool | LockedItem;

function namesByKind(namesOf: (kind: ItemKind) => string[]): Record<ItemKind, string[]> {
  return {
    tool: namesOf("tool"),
    prompt: namesOf("prompt"),
    resource: namesOf("resource"),
    resourceTemplate: namesOf("resourceTemplate"),
  };
}
