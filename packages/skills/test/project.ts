import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { readSkills, SkillsError } from "../src/index.ts";

/** A project folder that is removed at the end of a test. */
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

/** Returns the paths of the instruction files of a project, or of a folder in it. */
export async function instructionsOf(project: Project, folder = ""): Promise<string[]> {
  return (await readSkills(project.path(folder))).instructions.map(({ path }) => path);
}

export async function errorOf(project: Project): Promise<SkillsError> {
  const error = await readSkills(project.folder).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SkillsError);
  return error as SkillsError;
}

/** Matches the error about a file or folder that is too large, with these words in its message. */
export const tooLarge = (path: unknown, words: string): object =>
  expect.objectContaining({ code: "too-large", path, message: expect.stringContaining(words) });
