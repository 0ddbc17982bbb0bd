import { serve } from "./protocol.mjs";

serve(({ id }) => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: "no \u001b[5m" } })}\n`);
});
