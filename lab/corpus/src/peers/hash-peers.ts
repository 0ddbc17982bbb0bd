import { hashCanonical, type JsonObject } from "../../../../packages/canonical-json/src/index.ts";
import type { Comparison, Peer, PeerAnswer, PeerId } from "./peer.ts";

/** The hash of each tool, by name. */
export type Hashes = Readonly<Record<string, string>>;

/** The hash that most pins use, over each tool's name, description and input schema. */
export const COMMON_HASH: Peer = hashPeer("hash", "hash of name, description, inputSchema", async (tools) =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      String(name),
      hashCanonical({ name, inputSchema, ...(description !== undefined && { description }) }),
    ]),
  ),
);

/** Returns a peer that reports each changed, new or missing hash, and stops on each of them. */
export function hashPeer(id: PeerId, label: string, hash: (tools: readonly JsonObject[]) => Promise<Hashes>): Peer {
  const compare = async ({ before, after }: Comparison): Promise<PeerAnswer> => {
    const [old, now] = [await hash(before.tools), await hash(after.tools)];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    const reported = new Map(
      names.filter((tool) => old[tool] !== now[tool]).map((tool) => [`tool ${tool}`, now[tool] ?? "gone"]),
    );
    return { reported, stopped: reported };
  };
  return { id, label, compare: (comparisons) => Promise.all(comparisons.map(compare)) };
}
