import { fileURLToPath } from "node:url";
import { output } from "../run.ts";
import { CORPUS } from "../servers.ts";
import type { Peer, PeerAnswer } from "./peer.ts";

const SCRIPT = fileURLToPath(new URL("src/peers/mcp_pin_guard.py", CORPUS));

type BySubject = Readonly<Record<string, string>>;

/** Returns a peer that runs the guard of `mcp-pin` between a client and a server, with a lock of the earlier offer. */
export function mcpPinPeer(python: string, version: string, mode: "strict" | "graded"): Peer {
  return {
    id: `mcp-pin ${mode}`,
    label: `mcp-pin ${version}, ${mode}`,
    compare: async (comparisons) => {
      const input = JSON.stringify({ drift: mode === "strict" ? "block" : "graded", comparisons });
      const said = JSON.parse(await output([python, SCRIPT], { cwd: fileURLToPath(CORPUS), input })) as {
        reported: BySubject;
        stopped: BySubject;
      }[];
      const asMap = (answers: BySubject): Map<string, string> => new Map(Object.entries(answers));
      return said.map((answer): PeerAnswer => ({ reported: asMap(answer.reported), stopped: asMap(answer.stopped) }));
    },
  };
}
