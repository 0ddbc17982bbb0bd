import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { ClientResponse } from "../src/http/client-response.ts";

const ANSWER = { message: '{"jsonrpc":"2.0","id":1,"result":{}}', value: { jsonrpc: "2.0", id: 1, result: {} } };

/** Returns the response that a client receives when the answer comes after a minute. */
async function answeredLate(isWaiting: boolean): Promise<Response> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer((_, response) => {
    const answer = new ClientResponse(response, 1, false);
    if (isWaiting) answer.waitForHeaders();
    vi.advanceTimersByTime(60_000);
    answer.setHeader("mcp-session-id", "s");
    answer.send(ANSWER);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test("a session that is named late gets its name, because no comment starts the answer before that", async () => {
  const response = await answeredLate(true);
  expect(response.headers.get("mcp-session-id")).toBe("s");
  expect(await response.json()).toEqual(ANSWER.value);
});

test("any other late answer is a stream with comments", async () => {
  const response = await answeredLate(false);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(await response.text()).toBe(`${":\n\n".repeat(4)}event: message\ndata: ${ANSWER.message}\n\n`);
});
