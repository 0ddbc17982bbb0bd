// Reads everything and answers nothing, not even `initialize`.
process.stdin.resume();
