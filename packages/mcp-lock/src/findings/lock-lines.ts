import { locateJson, toPointer } from "@agentprint/canonical-json";
import { ITEM_KINDS, ITEMS, itemName } from "@agentprint/mcp";
import { itemsOfEntry } from "../lock/lock.ts";
import { LOCK_TEXT, readLockFile } from "../lock/read-lock-file.ts";
import { itemSubject } from "./finding.ts";

/**
 * Returns, by subject, the 1-based line on which each server and item begins in a lock file's text. Searches the text
 * itself, because a merge changes the order of entries and a formatter changes the lines.
 */
export function lockLines(text: string | Uint8Array): Map<string, number> {
  const places = readLockFile(text).servers.flatMap((server, index) => {
    const at = ["servers", index];
    const items = ITEM_KINDS.flatMap((kind) => {
      const { list } = ITEMS[kind];
      return itemsOfEntry(server, kind).map(({ definition }, position) => ({
        subject: itemSubject(server.name, kind, itemName(kind, definition)),
        pointer: toPointer([...at, list, position]),
      }));
    });
    return [{ subject: server.name, pointer: toPointer(at) }, ...items];
  });
  const pointers = places.map(({ pointer }) => pointer);
  const lines = locateJson(text, pointers, LOCK_TEXT).map(({ line }) => line);
  return new Map(places.map(({ subject }, index) => [subject, lines[index] as number]));
}
