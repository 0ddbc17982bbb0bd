import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Listening, listening } from "../oauth/listen.ts";
import { outputOf } from "../programs.ts";

/** Writes a wheel from the text of its files. Files below `scripts/` are programs. */
const BUILD = String.raw`
import base64, hashlib, json, sys, zipfile
path, files = sys.argv[1], json.loads(sys.argv[2])
info = next(name.split("/")[0] for name in files if name.endswith("/METADATA"))
digest = lambda text: base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
record = "".join(f"{name},sha256={digest(text)},{len(text.encode())}\n" for name, text in files.items())
with zipfile.ZipFile(path, "w") as wheel:
    for name, text in {**files, f"{info}/RECORD": record + f"{info}/RECORD,,\n"}.items():
        wheel.writestr(name, text)
`;

/** A version of a Python package. */
interface PublishedWheel {
  /** With `_` instead of `-`. */
  readonly name: string;
  readonly version: string;
  /** Default: the tags of a wheel for any machine. */
  readonly tags?: string;
  readonly requires?: readonly string[];
  /** The functions of programs (`module:function`) by program name. */
  readonly programs?: Readonly<Record<string, string>>;
  /** The text of its modules and other files. */
  readonly files?: Readonly<Record<string, string>>;
}

/** An index of Python packages in this process. Each request is answered from the shelf that `shelfOf` chooses for it. */
export class WheelIndex implements AsyncDisposable {
  /** The bytes, by shelf and file name. */
  readonly #shelves = new Map<string, Map<string, Buffer>>();
  readonly #server: Listening;
  /** Chooses the shelf that answers a request. */
  shelfOf: (request: IncomingMessage) => string = () => "theirs";
  /** The `user:password` that every request needs. */
  login: string | undefined;
  /** The requested paths. */
  readonly asked: string[] = [];

  private constructor(server: Listening) {
    this.#server = server;
    server.handle = (request, response) => {
      const path = decodeURIComponent(request.url ?? "/");
      this.asked.push(path);
      const wanted = this.login && `Basic ${Buffer.from(this.login).toString("base64")}`;
      if (wanted !== undefined && request.headers.authorization !== wanted) {
        response.writeHead(401, { "www-authenticate": "Basic" }).end();
        return;
      }
      const shelf = this.#shelves.get(this.shelfOf(request)) ?? new Map<string, Buffer>();
      // Every address before this text is an address of the index.
      const [, base = "", kind, name = ""] = /^(.*)\/(files|simple)\/([^/]*)\/?$/.exec(path) ?? [];
      const file = kind === "files" ? shelf.get(name) : undefined;
      const links = [...shelf].flatMap(([each, bytes]) => {
        const isOwn = kind === "simple" && name === each.split("-")[0]?.replaceAll("_", "-");
        return isOwn ? [`<a href="${base}/files/${each}#sha256=${sha256(bytes)}">${each}</a>`] : [];
      });
      if (file !== undefined) response.end(file);
      else if (links.length === 0) response.writeHead(404).end();
      else {
        response.writeHead(200, { "content-type": "text/html", "cache-control": "no-cache" });
        response.end(`<!DOCTYPE html><html><body>${links.join("\n")}</body></html>`);
      }
    };
  }

  static async start(): Promise<WheelIndex> {
    return new WheelIndex(await listening());
  }

  /** The address for installers. */
  get url(): string {
    return `${this.#server.origin}/simple`;
  }

  /** Puts a wheel on a shelf, and returns its SHA-256 in hex digits. */
  publish({ name, version, tags = "py3-none-any", ...more }: PublishedWheel, shelf = "theirs"): string {
    const { requires = [], programs = {}, files = {} } = more;
    const info = `${name}-${version}.dist-info`;
    const needs = requires.map((each) => `Requires-Dist: ${each}\n`).join("");
    const rows = Object.entries(programs).map(([program, start]) => `${program} = ${start}\n`);
    const texts = {
      ...files,
      [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${needs}`,
      [`${info}/WHEEL`]: `Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: ${tags}\n`,
      [`${info}/entry_points.txt`]: `[console_scripts]\n${rows.join("")}`,
    };
    const folder = mkdtempSync(join(tmpdir(), "agentprint-wheel-"));
    outputOf("python3", ["-c", BUILD, join(folder, "wheel"), JSON.stringify(texts)]);
    const bytes = readFileSync(join(folder, "wheel"));
    rmSync(folder, { recursive: true });
    this.put(`${name}-${version}-${tags}.whl`, bytes, shelf);
    return sha256(bytes);
  }

  /** Puts a file on a shelf. */
  put(file: string, bytes: Buffer, shelf = "theirs"): void {
    const files = this.#shelves.get(shelf) ?? new Map<string, Buffer>();
    this.#shelves.set(shelf, files.set(file, bytes));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A folder into which uv is installed. */
export class InstalledUv implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "agentprint-uv-"));

  constructor() {
    outputOf("python3", ["-m", "venv", this.#folder]);
    outputOf(join(this.#folder, "bin/pip"), ["install", "--quiet", "uv"]);
  }

  /** The folder of the program. */
  get bin(): string {
    return join(this.#folder, "bin");
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}
