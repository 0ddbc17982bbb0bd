/**
 * Builds the command once for all processes that a test run starts, because a start from source takes three times the
 * processor time.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type InputOptions, type OutputOptions, rolldown } from "rolldown";
import { BUNDLED_COMMAND } from "./bundled-command.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The command's build configuration; a TypeScript project with other settings checks its types. */
const CONFIG = new URL("../../rolldown.config.ts", import.meta.url).href;

/** The package builds its page where it is imported, so it stays a separate module. */
const NOT_BUNDLED = "@agentprint/trail-page";

/**
 * Bundles the sources as the command is built, in a folder where its optional packages are found; returns a function
 * that removes the folder.
 */
export async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(ROOT, ".command-"));
  const { default: built } = (await import(CONFIG)) as { default: InputOptions & { readonly output: OutputOptions } };
  const { output, plugins: _writesToDist, ...options } = built;
  const external = options.external as (id: string) => boolean;
  const bundle = await rolldown({
    ...options,
    cwd: ROOT,
    input: {
      main: "src/main.ts",
      "check-structure": "../../packages/trail-store/src/database/check-structure.ts",
      "serve-chains": "../../packages/recorder/src/chain/serve-chains.ts",
      "trail-worker": "src/trail/worker.ts",
    },
    external: (id) => id === NOT_BUNDLED || external(id),
    resolve: {
      ...options.resolve,
      conditionNames: ["@agentprint/source", ...(options.resolve?.conditionNames ?? [])],
    },
    logLevel: "silent",
  });
  await bundle.write({ ...output, dir: join(folder, "dist") });
  await bundle.close();
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const imports = { ...manifest.imports, "#trail-worker": "./dist/trail-worker.js" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, imports }));
  symlinkSync(join(ROOT, "templates"), join(folder, "templates"));
  process.env[BUNDLED_COMMAND] = join(folder, "dist/main.js");
  return () => {
    delete process.env[BUNDLED_COMMAND];
    rmSync(folder, { recursive: true });
  };
}
