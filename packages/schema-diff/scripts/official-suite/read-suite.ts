import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The judged drafts by their folder's name in the suite, with the URI for `$schema`. */
export const DRAFTS = {
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  draft7: "http://json-schema.org/draft-07/schema#",
} as const;

export type DraftFolder = keyof typeof DRAFTS;

/** The parts of a draft, each with its folder. */
export const PARTS = { required: "", optional: "optional", format: "optional/format" } as const;

export type Part = keyof typeof PARTS;

/** A schema of the suite and the values that it accepts or rejects. */
export interface Group {
  readonly description: string;
  readonly schema: object | boolean;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/** Returns the root of the suite's checkout that `JSON_SCHEMA_TEST_SUITE` names; `undefined` if there is none. */
export function suiteFolder(): string | undefined {
  const { JSON_SCHEMA_TEST_SUITE: root } = process.env;
  return root !== undefined && existsSync(join(root, "tests", "draft7")) ? root : undefined;
}

/** Returns the groups of tests in one part of a draft. Each schema declares its draft. */
export function readGroups(root: string, draft: DraftFolder, part: Part): Group[] {
  const folder = join(root, "tests", draft, PARTS[part]);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files
    .sort()
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Group[])
    .map((group) => ({ ...group, schema: declaring(DRAFTS[draft], group.schema) }));
}

function declaring($schema: string, schema: object | boolean): object | boolean {
  return typeof schema === "boolean" ? schema : { $schema, ...schema };
}

/** Returns the schemas to which a draft's tests refer at `http://localhost:1234/`, by URI. */
export function readRemotes(root: string, draft: DraftFolder): [uri: string, schema: object | boolean][] {
  const folder = join(root, "remotes");
  const others = /^(?:draft|v1)/;
  return globSync("**/*.json", { cwd: folder })
    .filter((path) => path.startsWith(`${draft}/`) || !others.test(path))
    .map((path) => [`http://localhost:1234/${path}`, JSON.parse(readFileSync(join(folder, path), "utf8"))]);
}
