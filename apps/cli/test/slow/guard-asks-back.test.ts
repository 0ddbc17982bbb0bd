import { fileURLToPath } from "node:url";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { start } from "../../scripts/conformance/start.ts";
import { listening } from "../guard/support.ts";
import { STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

const info = { name: "test", version: "1.0.0" };
const capabilities = { elicitation: {}, sampling: {}, roots: {} };
const form = { action: "accept" as const, content: { name: "Ada", username: "ada", email: "ada@example.com" } };
const sampled = { role: "assistant" as const, model: "none", content: { type: "text" as const, text: "Paris" } };

/** The method that the tests use of a client of either major version. */
interface Asked extends AsyncDisposable {
  call(name: string, args?: Record<string, string>): Promise<string>;
}

function clientV1(): ClientV1 {
  const client = new ClientV1(info, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => form);
  client.setRequestHandler(CreateMessageRequestSchema, () => sampled);
  return client;
}

function clientV2(): ClientV2 {
  const client = new ClientV2(info, { capabilities, versionNegotiation: { mode: "auto" } });
  client.setRequestHandler("elicitation/create", () => form);
  client.setRequestHandler("sampling/createMessage", () => sampled);
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///here" }] }));
  return client;
}

type Major = "v1" | "v2";
type Way = "stdio" | "HTTP to stdio" | "HTTP to HTTP";

/** Connects a client of one major version through a guard to a server of the same version. */
async function connected(major: Major, way: Way): Promise<Asked> {
  const stack = new AsyncDisposableStack();
  const space = stack.use(new Workspace());
  const script = fileURLToPath(new URL(`../conformance/server-${major}.ts`, import.meta.url));
  const launch = [process.execPath, "--conditions=@agentprint/source", script];
  const target =
    way === "HTTP to HTTP"
      ? ["--url", stack.use(await start([...launch, "http"], space.folder, /http:\S+/)).said]
      : ["--", ...launch];
  const pinned = await space.run(["pin", "--name", "asks", ...target]);
  expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
  const client = major === "v1" ? clientV1() : clientV2();
  if (way === "stdio") {
    const [command, ...args] = AGENTPRINT;
    const env = { ...(process.env as Record<string, string>), ...STATE };
    const guard = { command, args: [...args, "guard", "asks"], cwd: space.folder, env, stderr: "pipe" as const };
    await client.connect((major === "v1" ? new StdioV1(guard) : new StdioV2(guard)) as never);
  } else {
    const { url } = stack.use(await listening(space, ["asks"]));
    await client.connect((major === "v1" ? new HttpV1(url) : new HttpV2(url)) as never);
  }
  stack.defer(() => client.close());
  return {
    async call(name, args = {}) {
      return JSON.stringify((await client.callTool({ name, arguments: args })).content);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const WAYS: readonly Way[] = ["stdio", "HTTP to stdio", "HTTP to HTTP"];

test.each(WAYS)("a server of an old era asks the user and the model, %s", async (way) => {
  await using client = await connected("v1", way);
  const [asked, sampled, plain] = await Promise.all([
    client.call("test_elicitation", { message: "Who?" }),
    client.call("test_sampling", { prompt: "Capital of France?" }),
    client.call("test_simple_text"),
  ]);
  expect(asked).toContain("ada@example.com");
  expect(sampled).toContain("LLM response: Paris");
  expect(plain).toContain("simple text");
});

test.each(WAYS)("a server of the new era asks in its results, %s", async (way) => {
  await using client = await connected("v2", way);
  expect(await client.call("test_input_required_result_elicitation")).toContain("Ada");
  expect(await client.call("test_input_required_result_sampling")).toContain("Paris");
  expect(await client.call("test_input_required_result_list_roots")).toContain("file:///here");
  expect(await client.call("test_input_required_result_multi_round")).toContain("Ada");
  expect(await client.call("test_input_required_result_multiple_inputs")).toContain("Paris");
});
