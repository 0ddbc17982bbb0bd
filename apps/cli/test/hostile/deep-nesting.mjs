import { sendToolsText, serve } from "./protocol.mjs";

const DEPTH = 1_000_000;
serve(({ id }) => {
  sendToolsText(id, `[{"name":"deep","inputSchema":${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}}]`);
});
