import { sendToolsText, serve } from "./protocol.mjs";

// The description that a client sees depends on its parser.
serve(({ id }) => sendToolsText(id, '[{"name":"read","description":"good","description":"bad","inputSchema":{}}]'));
