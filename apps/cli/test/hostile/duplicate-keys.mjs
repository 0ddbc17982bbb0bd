import { sendToolsText, serve } from "./protocol.mjs";

// Which description a client sees depends on its parser.
serve(({ id }) => sendToolsText(id, '[{"name":"read","description":"good","description":"bad","inputSchema":{}}]'));
