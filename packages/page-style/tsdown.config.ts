import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";
import { SHEETS } from "./src/sheets.ts";

const sheets = new URL("src/sheets.ts", import.meta.url).pathname;

export default defineConfig({
  ...base,
  entry: ["src/index.ts"],
  // A bundle that includes this package has no style sheets beside it.
  plugins: [
    {
      name: "sheets-inside",
      load: (id) => (id === sheets ? `export const SHEETS: string = ${JSON.stringify(SHEETS)};` : undefined),
    },
  ],
});
