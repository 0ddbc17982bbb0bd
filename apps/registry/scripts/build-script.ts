import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Builds the script that verifies histories in a browser into one file. */
export async function buildScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/page/verify-history.ts", import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    conditions: ["@agentprint/source"],
    target: "es2022",
  });
  return outputFiles[0]?.text ?? "";
}
