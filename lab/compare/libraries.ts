import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { hashCanonical } from "@agentprint/canonical-json";
import rfc8785 from "canonicalize";
import { build } from "esbuild";
import fastJsonStableStringify from "fast-json-stable-stringify";
import jsonCanon from "json-canon";
import { canonicalize as jsonCanonicalize } from "json-canonicalize";
import objectHash from "object-hash";
import { hash as ohash } from "ohash";
import { configure } from "safe-stable-stringify";
import { toolDefinition } from "../bench/corpora.ts";
import { measure } from "../bench/measure.ts";
import type { LibraryRow } from "./compared.ts";
import { installedWith, versionOf } from "./installed.ts";
import { evaluate, startsOf } from "./starts.ts";

const LAB = fileURLToPath(new URL("..", import.meta.url));
const BYTES_PER_KB = 1024;
const REFERENCE = "canonicalize";

/** A library, its strictest way to hash a value, and the import that this way needs. */
interface Library {
  readonly imports: string;
  readonly hash: (value: unknown) => string;
}

const sha256 = (text: string | undefined): string => createHash("sha256").update(String(text)).digest("hex");
const strictStringify = configure({ strict: true, bigint: false, circularValue: Error });

const LIBRARIES: Readonly<Record<string, Library>> = {
  "@agentprint/canonical-json": { imports: "{ hashCanonical }", hash: (value) => hashCanonical(value) },
  [REFERENCE]: { imports: "{ default }", hash: (value) => sha256(rfc8785(value)) },
  "json-canon": { imports: "{ default }", hash: (value) => sha256(jsonCanon(value)) },
  "json-canonicalize": { imports: "{ canonicalize }", hash: (value) => sha256(jsonCanonicalize(value)) },
  "safe-stable-stringify": { imports: "{ configure }", hash: (value) => sha256(strictStringify(value)) },
  "fast-json-stable-stringify": { imports: "{ default }", hash: (value) => sha256(fastJsonStableStringify(value)) },
  "object-hash": {
    imports: "{ default }",
    hash: (value) => objectHash(value as object, { algorithm: "sha256", encoding: "hex" }),
  },
  ohash: { imports: "{ hash }", hash: ohash },
};

/** Measures all libraries side by side; any Python can time their imports. */
export async function compareLibraries(python: string): Promise<LibraryRow[]> {
  const value = toolDefinition();
  const expected = LIBRARIES[REFERENCE]?.hash(value);
  const contenders = Object.fromEntries(Object.entries(LIBRARIES).map(([name, { hash }]) => [name, () => hash(value)]));
  const speeds = await measure(
    "compare",
    {
      name: "tool definition",
      reference: REFERENCE,
      ours: "",
      bar: 0,
      contenders,
      isCorrect: (hash) => typeof hash === "string", // two libraries make another hash
    },
    "all",
  );
  const names = Object.keys(LIBRARIES);
  const starts = startsOf(python, [evaluate("0"), ...names.map((name) => evaluate(`import ${JSON.stringify(name)}`))]);
  return Promise.all(
    names.map(async (name, index): Promise<LibraryRow> => {
      const speed = speeds.find(({ contender }) => contender === name);
      return {
        name,
        version: versionOf(name, LAB),
        speed: speed?.ratio ?? Number.NaN,
        isCanonical: LIBRARIES[name]?.hash(value) === expected,
        gzipKilobytes: await gzipKilobytes(name, LIBRARIES[name]?.imports ?? ""),
        importMilliseconds: Math.max(0, (starts[index + 1] ?? 0) - (starts[0] ?? 0)),
        installed: installedWith(name, LAB),
      };
    }),
  );
}

/** Bundles and minifies one import for browsers; returns its compressed size. */
async function gzipKilobytes(name: string, imports: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export ${imports} from ${JSON.stringify(name)};`, resolveDir: LAB },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external: ["crypto"],
    write: false,
    logLevel: "silent",
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length / BYTES_PER_KB;
}
