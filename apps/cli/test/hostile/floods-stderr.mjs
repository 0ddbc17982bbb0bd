// Writes to stderr as fast as it is read, without end, and answers nothing.
const line = `${"x".repeat(1000)} end of line\n`;
function flood() {
  while (process.stderr.write(line));
  process.stderr.once("drain", flood);
}
flood();
