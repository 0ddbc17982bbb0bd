// Logs to stdout, where only messages belong.
process.stdout.write("Server listening on stdio\n");
process.stdin.resume();
