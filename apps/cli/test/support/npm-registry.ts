import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { outputOf } from "@agentprint/testing/programs";
import { AGENTPRINT_LINE } from "./spawn-cli.ts";
import { Workspace } from "./workspace.ts";

/** A package's deprecation notice, which npm prints: lines that runners would interpret as commands. */
const deprecated =
  "old\n::add-mask::x\r::add-mask::y\n\u00a0::add-mask::z ##[add-mask]a ##vso[task.x]b section_start:1:c";

/** Package scripts that fail, so that the installation fails if npm runs one of them. */
const FAILING = { preinstall: "exit 1", install: "exit 1", postinstall: "exit 1" };

/** A real registry on this machine with one package: a version of agentprint that runs from source. */
export class NpmRegistry {
  readonly version: string;
  /** In npm's form: `sha512-…`. */
  readonly integrity: string;
  url = "";
  readonly #manifest: object;
  readonly #tarball: Buffer;
  readonly #server = createServer((request, response) => {
    if (request.url === "/agentprint") {
      const dist = { tarball: `${this.url}/agentprint.tgz`, integrity: this.integrity };
      const manifest = { ...this.#manifest, dist, deprecated };
      response.end(
        JSON.stringify({
          name: "agentprint",
          "dist-tags": { latest: this.version },
          versions: { [this.version]: manifest },
        }),
      );
    } else if (request.url === "/agentprint.tgz") response.end(this.#tarball);
    else response.writeHead(404).end("{}");
  });

  /** @param scripts The package's scripts; they fail by default */
  constructor(version: string, scripts: Readonly<Record<string, string>> = FAILING) {
    this.version = version;
    this.#manifest = {
      name: "agentprint",
      version,
      bin: { agentprint: "main.sh" },
      scripts,
      hasInstallScript: Object.keys(scripts).length > 0,
    };
    using folder = new Workspace();
    mkdirSync(folder.path("package"));
    writeFileSync(folder.path("package/package.json"), JSON.stringify(this.#manifest));
    writeFileSync(folder.path("package/main.sh"), `#!/bin/sh\nexec ${AGENTPRINT_LINE} "$@"\n`, { mode: 0o755 });
    outputOf("tar", ["-czf", "package.tgz", "package"], { cwd: folder.folder });
    this.#tarball = readFileSync(folder.path("package.tgz"));
    this.integrity = `sha512-${createHash("sha512").update(this.#tarball).digest("base64")}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    this.url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  }

  [Symbol.dispose](): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
