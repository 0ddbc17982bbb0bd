import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Builds a script and its imports into one text that a browser runs as a module. */
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
