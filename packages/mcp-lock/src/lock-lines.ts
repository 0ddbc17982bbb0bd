import { subjectOf } from "./drift-findings.ts";
import { ITEM_KINDS, ITEMS, itemName } from "./item-kinds.ts";
import type { LockFile } from "./lock.ts";
import { writePrettyJson } from "./pretty-json.ts";

/** The 1-based line on which each server and item starts in the text that `formatLock` writes, by subject. */
export function lockLines(lock: LockFile): Map<string, number> {
  const subjects = new Map<object, string>();
  for (const server of lock.servers) {
    subjects.set(server, server.name);
    for (const kind of ITEM_KINDS) {
      for (const item of server[ITEMS[kind].list]) {
        subjects.set(item, subjectOf(server.name, kind, itemName(kind, item.definition)));
      }
    }
  }
  const lines = new Map<string, number>();
  let line = 1;
  const countLine = (piece: string): void => {
    if (piece.includes("\n")) line++;
  };
  writePrettyJson(lock, countLine, (value) => {
    const subject = subjects.get(value);
    if (subject !== undefined) lines.set(subject, line);
  });
  return lines;
}
