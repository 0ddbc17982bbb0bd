import { serve } from "./protocol.ts";

serve(() => process.stdout.write('{"jsonrpc": "2.0", "id": 2, "result": \u001b[31mnot json}\n'));
