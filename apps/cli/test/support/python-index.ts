import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { outputOf, startProgram } from "@agentprint/testing/programs";
import { Workspace } from "./workspace.ts";

/** Writes a wheel with an MCP server that records its start in a file. */
const BUILD = String.raw`
import base64, hashlib, json, sys, zipfile
path, name, version, note, requires, more = sys.argv[1:]
server = f'''
import json, sys
def main():
    open("started", "a").write({note!r} + "\\n")
    results = {{
        "initialize": {{"protocolVersion": "2025-11-25", "capabilities": {{"tools": {{}}}}, "serverInfo": {{"name": "s", "version": "1"}}}},
        "tools/list": {{"tools": [{{"name": "greet", "inputSchema": {{"type": "object"}}}}]}},
    }}
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request: continue
        result = results.get(request["method"])
        answer = {{"result": result}} if result else {{"error": {{"code": -32601, "message": "Method not found"}}}}
        print(json.dumps({{"jsonrpc": "2.0", "id": request["id"], **answer}}), flush=True)
'''
info = f"{name}-{version}.dist-info"
needs = f"Requires-Dist: {requires}\n" if requires else ""
files = {
    f"{name}.py": server,
    f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
    f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{info}/entry_points.txt": f"[console_scripts]\n{name.replace(chr(95), chr(45))} = {name}:main\n",
    **json.loads(more),
}
digest = lambda text: base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
record = "".join(f"{name},sha256={digest(text)},{len(text.encode())}\n" for name, text in files.items())
with zipfile.ZipFile(path, "w") as wheel:
    for name, text in {**files, f"{info}/RECORD": record + f"{info}/RECORD,,\n"}.items():
        wheel.writestr(name, text)
`;

/** The file name of the release. */
export const WHEEL = "swapped_server-1.0.0-py3-none-any.whl";

/** A real Python package index (pypiserver) with a single version of a server, whose bytes can be swapped, and uv. */
export class PythonIndex implements AsyncDisposable {
  /** The folder that contains uv, pipx and Python. */
  readonly bin: string;
  readonly url: string;
  readonly #folder: Workspace;
  readonly #end: () => Promise<unknown>;

  private constructor(folder: Workspace, bin: string, url: string, end: () => Promise<unknown>) {
    this.#folder = folder;
    this.url = url;
    this.bin = bin;
    this.#end = end;
  }

  /** Installs the programs into their own folder, unless another index has them, and starts the index. */
  static async start(other?: PythonIndex): Promise<PythonIndex> {
    const folder = new Workspace();
    const bin = other?.bin ?? folder.path("venv/bin");
    if (other === undefined) {
      outputOf("python3", ["-m", "venv", folder.path("venv")]);
      outputOf(join(bin, "pip"), ["install", "--quiet", "uv", "pypiserver"]);
    }
    mkdirSync(folder.path("packages"));
    const port = await freePort();
    const args = ["run", "-p", String(port), "-i", "127.0.0.1", "--backend", "simple-dir", folder.path("packages")];
    const child = await startProgram(join(bin, "pypi-server"), args, { stdio: "ignore" });
    const exited = once(child, "exit");
    const url = `http://127.0.0.1:${port}/simple/`;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the index ended with exit code ${child.exitCode}`);
      if (
        await fetch(url).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return new PythonIndex(folder, bin, url, async () => {
      child.kill();
      await exited;
    });
  }

  /**
   * Publishes a release with this note, in place of the earlier one.
   *
   * @param more A requirement, and additional files by their paths in the wheel
   */
  publish(note: string, file: string = WHEEL, more: { requires?: string; files?: Record<string, string> } = {}): void {
    const [name = "", version = ""] = file.split("-");
    const { requires = "", files = {} } = more;
    const args = [this.#folder.path(`packages/${file}`), name, version, note, requires, JSON.stringify(files)];
    outputOf(`${this.bin}/python`, ["-c", BUILD, ...args]);
  }

  /** Removes a file from the index. */
  withdraw(file: string): void {
    rmSync(this.#folder.path(`packages/${file}`));
  }

  async end(): Promise<void> {
    await this.#end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    this.#folder[Symbol.dispose]();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
