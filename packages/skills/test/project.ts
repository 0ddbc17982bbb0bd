import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder of a project that is removed at the end of a test. */
export class Project {
  readonly folder: string = mkdtempSync(join(tmpdir(), "agentprint-skills-"));

  path(file: string): string {
    return join(this.folder, file);
  }

  write(files: Readonly<Record<string, string | Uint8Array>>): this {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(this.path(file)), { recursive: true });
      writeFileSync(this.path(file), content);
    }
    return this;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
