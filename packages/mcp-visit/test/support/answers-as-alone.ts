import { createServer } from "node:net";
import { join } from "node:path";
import type { Era, SessionAnswers } from "@agentprint/mcp";
import { expect } from "vitest";
import { visitServer } from "../../src/index.ts";
import type { Kind } from "../servers/exclusive.ts";
import { exclusive, options, tool, visitInMemory } from "./targets.ts";

const VIEWS = ["client", "bare"] as const;
const results = { "tools/list": [{ tools: [tool("one")] }] };

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(typeof address === "object" ? address?.port : address);
}

function without({ view: _view, ...answers }: SessionAnswers): object {
  return answers;
}

/**
 * Requires that a server with only one process at a time, visited in two views, give the same answers as a server that
 * is visited in each view and era separately.
 */
export async function answersAsAlone(
  kind: Kind,
  folder: string,
  protocol: "auto" | "legacy",
  eras: readonly Era[],
): Promise<void> {
  const place = kind === "port" ? await freePort() : join(folder, "lock");
  const target = exclusive({ eras, results }, kind, place);
  const { sessions } = await visitServer(target, options({ views: VIEWS, settle: 1, protocol }));
  const alone: SessionAnswers[] = [];
  for (const era of eras) {
    const visit = await visitInMemory({ eras, results }, { settle: 1, protocol: era });
    alone.push(...visit.sessions);
  }
  for (const view of VIEWS) {
    const found = sessions.filter((session) => session.view === view);
    expect(found.map(without)).toEqual(alone.map(without));
  }
}
