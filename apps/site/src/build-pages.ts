import { build } from "vitepress";

/** The folder of the staged pages, relative to the app. */
export const STAGED = ".staged";

/** Builds the staged pages; `.vitepress/config.ts` reads their base path from the environment. */
export async function buildPages(app: string, out: string, base: string): Promise<void> {
  process.env["SITE_BASE"] = base;
  await build(app, { outDir: out, base });
}
