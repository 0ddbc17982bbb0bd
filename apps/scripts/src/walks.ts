/**
 * `node apps/scripts/src/walks.ts`: prints the files of the guard that a client's message passes through, and how often
 * it returns to one.
 *
 * A walk has a stay for each file in which a function runs, and another for each return to a file. The number of
 * returns is the number of stays minus the number of files. The guard is bundled from its sources, so that each
 * function notes its file.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import ts from "typescript";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const SOURCES = `${REPOSITORY}packages/guard/src/`;

/** The files of a walk, in order. */
export interface Walk {
  readonly stays: readonly string[];
  /** How often the walk returns to a file. */
  readonly returns: number;
}

/** Notes each file in which a function begins, and the file to which it returns. */
const RECORDER = `const __walk = {
  stays: [],
  open: [],
  stay(file) {
    if (this.stays.at(-1) !== file) this.stays.push(file);
  },
  enter(file) {
    this.open.push(file);
    this.stay(file);
  },
  leave() {
    this.open.pop();
    if (this.open.length > 0) this.stay(this.open.at(-1));
  },
};`;

/** The guard, a world to guard, and what {@link RECORDER} notes. */
const ENTRY = `
export { createGuard } from "./packages/guard/src/index.ts";
export * from "./packages/guard/test/support/world.ts";
export const walk = __walk;
`;

/** Returns a source whose functions note that they run. */
export function recorded(text: string, file: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const inserted: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const body = ts.isFunctionLike(node) && "body" in node ? node.body : undefined;
    if (body === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    const isBlock = ts.isBlock(body);
    const enter = `__walk.enter(${JSON.stringify(file)}); try {`;
    const start = body.getStart(source);
    inserted.push({ at: isBlock ? start + 1 : start, text: isBlock ? enter : `{ ${enter} return (` });
    ts.forEachChild(node, visit);
    const leave = "} finally { __walk.leave(); }";
    inserted.push({ at: isBlock ? body.end - 1 : body.end, text: isBlock ? leave : `); ${leave} }` });
  };
  visit(source);
  const ends = inserted.map(({ at }) => at).sort((one, other) => one - other);
  const texts = inserted.sort((one, other) => one.at - other.at).map((each) => each.text);
  return [0, ...ends].map((at, nth) => text.slice(at, ends[nth]) + (texts[nth] ?? "")).join("");
}

const recording: Plugin = {
  name: "recording",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]packages[\\/]guard[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: recorded(readFileSync(path, "utf8"), relative(SOURCES, path)),
      loader: "ts",
    }));
  },
};

/** Returns the walks of a client's messages through a guard that emits events, by the kind of message. */
export async function readWalks(): Promise<ReadonlyMap<string, Walk>> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: REPOSITORY, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@agentprint/source"],
    banner: { js: RECORDER },
    write: false,
    logLevel: "silent",
    plugins: [recording],
  });
  const folder = mkdtempSync(join(tmpdir(), "walks-"));
  const file = join(folder, "guard.mjs");
  writeFileSync(file, outputFiles[0]?.contents ?? "");
  const bundle = await import(/* @vite-ignore */ pathToFileURL(file).href).finally(() =>
    rmSync(folder, { recursive: true }),
  );
  const { createGuard, lockOf, policyOf, readFile, request, result, initializeResult, walk } = bundle;
  const lock = lockOf({ tools: [readFile], prompts: [{ name: "p" }], resources: [{ uri: "a:b", name: "r" }] });
  const guard = createGuard({ lock, server: "files", policy: policyOf({}), onEvent: () => undefined });
  const walks = new Map<string, Walk>();
  const pass = (name: string, message: string, reply?: object): void => {
    walk.stays = [];
    const { toServer } = guard.fromClient(message);
    // The first and last stays are in the file of the guard's own functions, which only calls the dispatcher.
    const stays: string[] = walk.stays.slice(1, -1);
    walks.set(name, { stays, returns: stays.length - new Set(stays).size });
    const asked = toServer.at(-1)?.value.id;
    if (reply !== undefined && asked !== undefined) guard.fromServer(result(asked, reply));
  };
  const call = (id: number, given: object): string =>
    request(id, "tools/call", { name: "read_file", arguments: given });
  const client = { capabilities: {}, clientInfo: { name: "c", version: "1" }, protocolVersion: "2025-11-25" };
  pass("the handshake", request(1, "initialize", client), initializeResult({}));
  pass("a first call, which waits for the list", call(2, { path: "a" }), { tools: [readFile] });
  pass("a list", request(3, "tools/list", {}), { tools: [readFile] });
  pass("a call", call(4, { path: "a" }), { content: [] });
  pass("a call of an unknown tool", request(5, "tools/call", { name: "other" }));
  pass("a call whose arguments do not fit", call(6, {}));
  pass("a first prompt, which waits for the list", request(7, "prompts/get", { name: "p" }), {
    prompts: [{ name: "p" }],
  });
  pass("a prompt", request(8, "prompts/get", { name: "p" }), { messages: [] });
  pass("a request with another method", request(9, "ping", {}), {});
  pass("a request under an id in use", request(10, "x/y", {}));
  pass("a request under an id in use, again", request(10, "x/y", {}));
  pass("a notification", '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  pass("an answer to nothing", '{"jsonrpc":"2.0","id":"n","result":{}}');
  pass("no JSON", "{");
  return walks;
}

if (import.meta.main) {
  for (const [name, { stays, returns }] of await readWalks()) {
    console.log(`${name}: ${stays.length} stays in ${new Set(stays).size} files, ${returns} returns`);
    if (process.argv.includes("--files")) console.log(`  ${stays.join(" ")}`);
  }
}
