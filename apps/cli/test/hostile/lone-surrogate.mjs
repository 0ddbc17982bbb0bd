import { sendToolsText, serve } from "./protocol.mjs";

serve(({ id }) => sendToolsText(id, '[{"name":"read","description":"\\ud800","inputSchema":{}}]'));
