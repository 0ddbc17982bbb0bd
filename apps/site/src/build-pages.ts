import { build } from "vitepress";

/** The folder of the staged pages, from the folder of the app. */
export const STAGED = ".staged";

/** Builds the staged pages; `.vitepress/config.ts` reads the path that they are below from the environment. */
export async function buildPages(app: string, out: string, base: string): Promise<void> {
  process.env["SITE_BASE"] = base;
  await build(app, { outDir: out, base });
}
