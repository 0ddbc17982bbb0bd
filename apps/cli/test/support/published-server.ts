import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type LocalRegistry, startRegistry } from "@agentprint/testing/npm-registry/local-registry";
import { outputOf } from "@agentprint/testing/programs";
import { toolsServer } from "./tools-server.ts";
import { Workspace } from "./workspace.ts";

/** The package that the tests publish, in a single version. */
export const PUBLISHED = "@agentprint/swapped-server";
export const SPECIFIER: string = `${PUBLISHED}@1.0.0`;

/** Returns the script of an MCP server that records its start in a file, and then runs more code. */
const script = (note: string, more: string): string =>
  toolsServer([{ name: "greet", inputSchema: { type: "object" } }], {
    name: "swapped",
    begin: `require("node:fs").appendFileSync("started", ${JSON.stringify(`${note}\n`)});\n${more}`,
  });

/** A real registry (verdaccio) with a single version of a server, whose bytes can be swapped. */
export class SwappingRegistry implements AsyncDisposable {
  readonly #folder = new Workspace();
  readonly #registry: LocalRegistry;
  /** The script that is published. */
  #script: string | undefined;

  private constructor(registry: LocalRegistry) {
    this.#registry = registry;
  }

  static async start(): Promise<SwappingRegistry> {
    const folder = new Workspace();
    return new SwappingRegistry(await startRegistry(folder.folder));
  }

  get url(): string {
    return this.#registry.url;
  }

  /** Publishes the version with this note and more code; an existing version is unpublished first. */
  publish(note: string, more: string = ""): void {
    const text = script(note, more);
    if (text === this.#script) return;
    const manifest = { name: PUBLISHED, version: "1.0.0", bin: { "swapped-server": "server.js" } };
    const files = {
      "package.json": JSON.stringify(manifest),
      "server.js": text,
      ".npmrc": this.#registry.npmrc,
    };
    mkdirSync(this.#folder.folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(this.#folder.path(name), text, { mode: 0o755 });
    const npm = (...args: string[]): void => {
      const env = { ...process.env, ...this.#registry.env, npm_config_cache: this.#folder.path("cache") };
      outputOf("npm", [...args, "--loglevel=error"], { cwd: this.#folder.folder, env });
    };
    if (this.#script !== undefined) npm("unpublish", SPECIFIER, "--force");
    npm("publish", "--access=public");
    this.#script = text;
  }

  /** Configures a folder to use this registry and a separate cache. */
  setUp(space: Workspace): void {
    const file = space.path(".npmrc");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `registry=${this.url}\ncache=${space.path("cache")}\nupdate-notifier=false\nfetch-retries=0\n`);
  }

  /** Shuts the registry down, so that nothing answers at its address. */
  end(): Promise<unknown> {
    return this.#registry.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    this.#folder[Symbol.dispose]();
  }
}
