import { sendToolsText, serve } from "./protocol.ts";

serve(({ id }) => sendToolsText(id, '[{"name":"read","description":"\\ud800","inputSchema":{}}]'));
