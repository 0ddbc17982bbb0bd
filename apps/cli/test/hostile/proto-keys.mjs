import { sendToolsText, serve } from "./protocol.mjs";

serve(({ id }) => {
  const extra = `"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}`;
  sendToolsText(id, `[{"name":"__proto__","inputSchema":{"type":"object","properties":{${extra}}},${extra}}]`);
});
