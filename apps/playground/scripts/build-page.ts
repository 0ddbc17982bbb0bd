import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Builds the page into another folder, as `pnpm build` does. */
export async function buildPage(folder: string): Promise<void> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await build({ root, configLoader: "native", logLevel: "error", build: { outDir: folder, emptyOutDir: true } });
}
