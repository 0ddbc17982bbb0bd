export { LineBuffer, splitLines } from "./line-buffer.ts";
