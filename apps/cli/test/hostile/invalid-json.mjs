import { serve } from "./protocol.mjs";

serve(() => process.stdout.write('{"jsonrpc": "2.0", "id": 2, "result": \u001b[31mnot json}\n'));
