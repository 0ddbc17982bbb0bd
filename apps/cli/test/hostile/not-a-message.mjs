// Begins a message and does not end it.
process.stderr.write("Server listening on stdio\n");
process.stdout.write('{"jsonrpc":"2.0"\n');
process.stdin.resume();
