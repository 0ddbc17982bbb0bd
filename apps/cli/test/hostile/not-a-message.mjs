// Begins a message and never ends it.
process.stderr.write("Server listening on stdio\n");
process.stdout.write('{"jsonrpc":"2.0"\n');
process.stdin.resume();
