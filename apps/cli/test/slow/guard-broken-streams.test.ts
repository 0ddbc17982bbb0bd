import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { type Break, breakingServer, MESSAGES } from "../guard/breaking-server.ts";
import { RECORD, recordedEvents } from "../guard/fault-world.ts";
import { callOf, INITIALIZE } from "../guard/guarded.ts";
import { listening } from "../guard/support.ts";
import { Workspace } from "../support/workspace.ts";

/** The number of events of a call: the one with the position to resume from, its messages, and its result. */
const EVENTS = MESSAGES + 2;
const HOW = ["ends", "is reset", "is reset within an event"] as const;

interface Heard {
  readonly data: unknown[];
  readonly answers: string[];
  last?: string;
}

/** Reads events until the stream ends; after the given number, disconnects. */
async function hear(response: IncomingMessage, heard: Heard, leaveAfter: number): Promise<void> {
  let rest = "";
  let count = 0;
  response.on("error", () => undefined);
  const take = (event: string): void => {
    const id = /^id: (.*)$/m.exec(event)?.[1];
    if (id !== undefined) heard.last = id;
    const data = /^data: (.+)$/m.exec(event)?.[1];
    if (data !== undefined) {
      const message = JSON.parse(data);
      if ("method" in message) heard.data.push(message.params.data);
      else heard.answers.push(JSON.stringify(message.result ?? message.error));
    }
    if (id !== undefined) count++;
  };
  for await (const chunk of response.setEncoding("utf8")) {
    const events = (rest + chunk).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      take(event);
      if (count === leaveAfter) {
        response.destroy();
        return;
      }
    }
  }
}

test("a stream that breaks at any point, on either side, is resumed, and each message comes once", async () => {
  const breaks: Break[] = [];
  const space = new Workspace();
  onTestFinished(() => space[Symbol.dispose]());
  const pinned = await space.run(["pin", "--name", "b", "--url", await breakingServer(breaks)]);
  expect(pinned.code, pinned.stderr).toBe(0);
  await using guard = await listening(space, ["b", ...RECORD]);
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-session-id": "s",
    "mcp-protocol-version": "2025-11-25",
  };
  const ask = async (method: "GET" | "POST", more: Record<string, string>, body?: string): Promise<IncomingMessage> => {
    const asked = request(guard.url, { method, headers: { ...headers, ...more } });
    asked.on("error", () => undefined).end(body);
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    return response;
  };
  const greeted = await fetch(guard.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: headers.accept },
    body: JSON.stringify(INITIALIZE),
  });
  await greeted.text();

  /** Makes a call whose streams the server breaks as given, and the client after the given numbers of events. */
  const call = async (id: number, atServer: readonly Break[], atClient: readonly number[]): Promise<Heard> => {
    breaks.splice(0, breaks.length, ...atServer);
    const heard: Heard = { data: [], answers: [] };
    let response = await ask("POST", {}, JSON.stringify(callOf(id, "count")));
    for (const leaveAfter of [...atClient, ...atServer.map(() => Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY]) {
      await hear(response, heard, leaveAfter).catch(() => undefined);
      if (heard.answers.length > 0) break;
      response = await ask("GET", { "last-event-id": heard.last ?? "" });
      expect(response.statusCode).toBe(200);
    }
    return heard;
  };
  // The client receives at least the first event; without it, no stream can be resumed.
  const points = Array.from({ length: EVENTS - 1 }, (_, index) => index + 1);
  const atServer = points.flatMap((after) => HOW.map((how) => ({ after, how })));
  const pairs = atServer.flatMap((first) =>
    [
      { after: 0, how: "is reset" as const },
      { after: 1, how: "ends" as const },
    ].map((second) => [first, second]),
  );
  const runs: (readonly [readonly Break[], readonly number[]])[] = [
    ...atServer.map((each) => [[each], []] as const),
    ...pairs.map((each) => [each, []] as const),
    ...points.flatMap((one) => [
      [[], [one]] as const,
      ...points.slice(0, EVENTS - one).map((other) => [[], [one, other]] as const),
    ]),
  ];
  for (const [index, [server, client]] of runs.entries()) {
    const { data, answers } = await call(index + 10, server, client);
    expect({ data, answers }, JSON.stringify({ server, client })).toEqual({
      data: Array.from({ length: MESSAGES }, (_, each) => each),
      answers: [JSON.stringify({ content: [{ type: "text", text: "counted" }] })],
    });
  }
  // The record is written after the calls have ended.
  const results = async (): Promise<number> =>
    (await recordedEvents(space)).filter(({ kind, tool }) => kind === "result" && tool === "count").length;
  await expect.poll(results).toBe(runs.length);
});
