import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles a script and its imports into the source of one module for a browser. */
export async function buildBrowserScript(entry: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
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
