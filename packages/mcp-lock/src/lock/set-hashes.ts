import { nameAt, type SessionName } from "@agentprint/mcp";
import { instructionsHashV1, setHashOf } from "@agentprint/tool-pins/judgement";
import type { LockedServer, SetHashes } from "./lock.ts";
import { digestOf, sessionState } from "./session-state.ts";

/** An entry without its computed members. */
export type UnsealedServer = Omit<LockedServer, "toolsDigest" | "setHashes" | "digest">;

/** Returns an entry's set hashes, each combination once, in the order of the sessions. */
export function setHashes(entry: UnsealedServer): SetHashes[] {
  const variants = new Map<string, { hashes: SetHashes; seen: SessionName[] }>();
  for (const session of entry.sessions) {
    const { parts, tools, prompts } = sessionState(entry, session);
    const instructions = instructionsHashV1(parts.instructions);
    const hashes = { tools: hashOf(tools), prompts: hashOf(prompts), ...(instructions && { instructions }) };
    const key = Object.values(hashes).join();
    const seen = variants.get(key)?.seen ?? [];
    variants.set(key, { hashes, seen: [...seen, session.session] });
  }
  return [...variants.values()].map(({ hashes, seen }) => (variants.size === 1 ? hashes : { ...hashes, seenBy: seen }));
}

/** Returns the set hash of items in a lock; the digest of each item is its definition hash. */
function hashOf(items: LockedServer["tools"] | LockedServer["prompts"]): string {
  return setHashOf(items.map((item) => ({ name: nameAt(item.definition, "name"), hash: digestOf(item) })));
}
