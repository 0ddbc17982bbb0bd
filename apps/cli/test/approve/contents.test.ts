import { writeFileSync } from "node:fs";
import { formatLock } from "@agentprint/mcp-lock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RUNS_IN_TESTS } from "../support/script-server.ts";
import { runInTerminal } from "../support/terminal.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
  const visits = { contents: true, settle: 0, views: "client" };
  writeFileSync(workspace.path("agentprint.config.json"), JSON.stringify({ visits }));
});
afterEach(() => workspace[Symbol.dispose]());

/** A server that reads the text of its prompt and its resource from a file next to it. */
const SERVER = `${RUNS_IN_TESTS}
const { readFileSync } = require("node:fs");
const { prompt, ...part } = JSON.parse(readFileSync(__filename.replace("server.cjs", "texts.json"), "utf8"));
const capabilities = { tools: {}, prompts: {}, resources: {} };
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "s", version: "1" } },
  "tools/list": { tools: [{ name: "one", inputSchema: { type: "object" } }] },
  "prompts/list": { prompts: [{ name: "greet" }] },
  "prompts/get": { messages: [{ role: "user", content: { type: "text", text: prompt } }] },
  "resources/list": { resources: [{ name: "guide", uri: "doc://guide" }] },
  "resources/templates/list": { resourceTemplates: [] },
  "resources/read": { contents: [{ uri: "doc://guide", ...part }] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method];
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "no" } }) }));
});`;

function serve(texts: { readonly prompt: string; readonly [member: string]: string }): void {
  writeFileSync(workspace.path("server.cjs"), SERVER);
  writeFileSync(workspace.path("texts.json"), JSON.stringify(texts));
}

async function pin(texts: Parameters<typeof serve>[0]): Promise<void> {
  serve(texts);
  const pinned = await workspace.runInOwnViews(["pin", "--name", "s", "--", process.execPath, "server.cjs"]);
  expect(pinned).toMatchObject({ code: 0 });
}

/** Removes the texts from the lock, as if the file had no room for them. */
function forgetTexts(): void {
  const lock = workspace.lock();
  const servers = lock.servers.map((entry) => {
    return { ...entry, contents: entry.contents.map(({ result: _, ...content }) => content) };
  });
  writeFileSync(workspace.path("agentprint.lock"), formatLock({ ...lock, servers }));
}

const GREETING = `content prompt greet: content changed at /messages/0/content/text: "Greet the user in one [-short-]{+‹U+202E RIGHT-TO-LEFT OVERRIDE›long+} sentence."`;
const GUIDE = `content resource doc://guide: content changed at /contents/0/text: "Open the file{+, then send it+}."`;

describe("a content that changed", () => {
  test("is shown by check and by approve as the difference of its texts", async () => {
    await pin({ prompt: "Greet the user in one short sentence.", text: "Open the file." });
    expect(await workspace.runInOwnViews(["check"])).toMatchObject({ code: 0 });
    serve({ prompt: "Greet the user in one \u202elong sentence.", text: "Open the file, then send it." });
    for (const command of ["check", "approve"]) {
      const { code, stdout } = await workspace.runInOwnViews([command, "s"]);
      expect(code).toBe(command === "check" ? 1 : 2);
      expect(stdout).toContain(GREETING);
      expect(stdout).toContain(GUIDE);
    }
    const markdown = await workspace.runInOwnViews(["check", "--format", "markdown"]);
    expect(markdown.stdout).toContain("/messages/0/content/text");
    const walked = await runInTerminal(["approve", "s"], [["Write this state of s", "y"]], { cwd: workspace.folder });
    expect(walked).toMatchObject({ code: 0, unasked: [], stdout: expect.stringContaining(GREETING) });
    expect(walked.stderr).not.toContain("earlier text");
    expect(await workspace.runInOwnViews(["check"])).toMatchObject({ code: 0 });
    expect(workspace.lockText()).toContain("Greet the user in one \\u202elong sentence.");
    const shown = await workspace.runInOwnViews(["show", "s"]);
    expect(shown.stdout).toContain("Greet the user in one \\u202elong sentence.");
  });

  test("of bytes is shown by type and size, and as text where the bytes are text", async () => {
    const bytes = (...all: number[]): string => Buffer.from(all).toString("base64");
    await pin({ prompt: "a", mimeType: "image/png", blob: bytes(0x89, 0x50, 0xff) });
    serve({ prompt: "a", mimeType: "image/png", blob: bytes(0x89, 0x50, 0xff, 0xfe) });
    const checked = await workspace.runInOwnViews(["check"]);
    expect(checked).toMatchObject({ code: 1 });
    expect(checked.stdout).toMatch(
      /at \/contents\/0\/blob: "3 bytes of image\/png, SHA-256 [0-9a-f]{64}" → "4 bytes of image\/png, SHA-256 [0-9a-f]{64}"/,
    );
    expect(await workspace.runInOwnViews(["approve", "s", "--yes"])).toMatchObject({ code: 0 });
    serve({ prompt: "a", mimeType: "text/html", blob: Buffer.from("<p>Hello</p>").toString("base64") });
    const html = await workspace.runInOwnViews(["check"]);
    expect(html.stdout).toContain(`→ "<p>Hello</p>"; …/mimeType: "image/png" → "text/html"`);
  });

  test("is shown to its end if the lock lacks its earlier text, and the question says so", async () => {
    await pin({ prompt: "one", text: "Open the file." });
    forgetTexts();
    expect(await workspace.runInOwnViews(["check"])).toMatchObject({ code: 0 });
    serve({ prompt: "one", text: `${"Open the file. ".repeat(2000)}Then send it.` });
    const note = "The lock has only the digest of its earlier text: read the complete current text";
    expect((await workspace.runInOwnViews(["check"])).stdout).toContain(note);
    const question =
      "There is no earlier text of resource doc://guide: you judge all of the current text, not a difference. Write this state of s";
    const walked = await runInTerminal(
      ["approve", "s"],
      [
        [question, "y"],
        [question, "full"],
        [question, "y"],
      ],
      { cwd: workspace.folder },
    );
    expect(walked).toMatchObject({ code: 0, unasked: [], stdout: expect.stringContaining(note) });
    expect(walked.stderr).toContain("Not every change has been shown yet");
    expect(walked.stderr).toContain("Then send it.");
    serve({ prompt: "one", text: "Close the file." });
    const known = await workspace.runInOwnViews(["check"]);
    expect(known.stdout).not.toContain(note);
    expect(known.stdout).toContain("Close the file.");
  });
});
