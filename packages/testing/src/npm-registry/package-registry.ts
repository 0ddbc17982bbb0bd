import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Listening, listening } from "../oauth/listen.ts";
import { outputOf } from "../programs.ts";

/** A version of a package: members of its manifest, and its files. */
interface PublishedVersion {
  readonly name: string;
  readonly version: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** An npm registry in this process. Each request is answered from the shelf that `shelfOf` chooses for it. */
export class PackageRegistry implements AsyncDisposable {
  /** The packages, by the name of their shelf. */
  readonly #shelves = new Map<string, Map<string, Map<string, { manifest: object; tarball: Buffer }>>>();
  readonly #server: Listening;
  /** Chooses the shelf that answers a request. */
  shelfOf: (request: IncomingMessage) => string = () => "theirs";
  /** The token that every request needs. */
  token: string | undefined;
  /** The requested paths. */
  readonly asked: string[] = [];

  private constructor(server: Listening) {
    this.#server = server;
    server.handle = (request, response) => {
      const path = decodeURIComponent(request.url ?? "/").slice(1);
      this.asked.push(path);
      if (this.token !== undefined && request.headers.authorization !== `Bearer ${this.token}`) {
        response.writeHead(401).end("{}");
        return;
      }
      const shelf = this.#shelves.get(this.shelfOf(request));
      const [, packed = "", version = ""] = /^(.*)\/-\/(.*)\.tgz$/.exec(path) ?? [];
      const tarball = shelf?.get(packed)?.get(version)?.tarball;
      const versions = shelf?.get(path);
      if (tarball !== undefined) response.end(tarball);
      else if (versions === undefined) response.writeHead(404).end("{}");
      else {
        const all = [...versions].map(([version, { manifest }]) => [version, manifest] as const);
        const latest = all.at(-1)?.[0];
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ name: path, "dist-tags": { latest }, versions: Object.fromEntries(all) }));
      }
    };
  }

  static async start(): Promise<PackageRegistry> {
    return new PackageRegistry(await listening());
  }

  get url(): string {
    return `${this.#server.origin}/`;
  }

  /** Puts a version on a shelf, and returns its integrity. */
  publish({ name, version, manifest = {}, files = {} }: PublishedVersion, shelf = "theirs"): string {
    const folder = mkdtempSync(join(tmpdir(), "agentprint-package-"));
    const whole = { name, version, ...manifest };
    for (const [path, text] of Object.entries({ ...files, "package.json": JSON.stringify(whole) })) {
      mkdirSync(dirname(join(folder, "package", path)), { recursive: true });
      writeFileSync(join(folder, "package", path), text, { mode: 0o755 });
    }
    outputOf("tar", ["-czf", "package.tgz", "package"], { cwd: folder });
    const tarball = readFileSync(join(folder, "package.tgz"));
    rmSync(folder, { recursive: true });
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const { scripts = {} } = whole as { scripts?: object };
    const dist = { tarball: `${this.url}${name}/-/${version}.tgz`, integrity };
    const packages = this.#shelves.get(shelf) ?? new Map();
    this.#shelves.set(shelf, packages);
    const versions = packages.get(name) ?? new Map();
    packages.set(name, versions);
    const hasInstallScript = "install" in scripts || "preinstall" in scripts || "postinstall" in scripts;
    versions.set(version, { manifest: { ...whole, dist, ...(hasInstallScript && { hasInstallScript }) }, tarball });
    return integrity;
  }

  /** Makes the registry describe a version on the shelf `theirs` differently from its own manifest. */
  describe(name: string, version: string, manifest: Readonly<Record<string, unknown>>): void {
    const published = this.#shelves.get("theirs")?.get(name)?.get(version);
    if (published !== undefined) Object.assign(published.manifest, manifest);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}
