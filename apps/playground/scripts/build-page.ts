import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Builds the page as `pnpm build` does, into another folder. */
export async function buildPage(folder: string): Promise<void> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await build({ root, configLoader: "native", logLevel: "error", build: { outDir: folder, emptyOutDir: true } });
}
