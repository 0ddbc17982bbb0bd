import { sendToolsText, serve } from "./protocol.ts";

// Which description a client sees depends on its parser.
serve(({ id }) => sendToolsText(id, '[{"name":"read","description":"good","description":"bad","inputSchema":{}}]'));
