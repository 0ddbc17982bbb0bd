import { writeFileSync } from "node:fs";
import { Repository } from "./repository.ts";
import { toolsServer } from "./tools-server.ts";
import { Workspace } from "./workspace.ts";

/** The repository of a server that its author is about to release. */
export class AuthorProject extends Workspace {
  readonly repository: Repository = new Repository(this.folder);

  /** Writes the server with these tools, and its version in `package.json`. */
  write(version: string, tools: readonly object[]): void {
    const manifest = { name: "@me/notes", version, bin: { notes: "server.cjs" } };
    writeFileSync(this.path("package.json"), JSON.stringify(manifest));
    writeFileSync(this.path("server.cjs"), toolsServer(tools, { version }));
  }

  /** Commits the project and a snapshot of its tools, and tags the commit. */
  async release(version: string, tools: readonly object[]): Promise<void> {
    this.write(version, tools);
    const run = await this.run(["release", "--init"]);
    if (run.code !== 0) throw new Error(run.stderr);
    this.repository.commit();
    this.repository.git("tag", `v${version}`);
  }
}

/** Returns one of the project's tools, which takes a text. */
export function note(name: string, { required = [] }: { readonly required?: readonly string[] } = {}): object {
  const properties = { text: { type: "string" } };
  const inputSchema = { type: "object", properties, required, additionalProperties: false };
  return { name, description: "Keeps a note in the list of all notes", inputSchema };
}
