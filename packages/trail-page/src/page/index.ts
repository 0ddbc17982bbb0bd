export { EntryBlocks } from "./entry-blocks.ts";
export { makePage, type PageParts, type ShownRun } from "./page.ts";
