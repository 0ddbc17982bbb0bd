import { replaceFile } from "../../src/files/replace-file.ts";

// Repeatedly replaces a file with a long text, with a different letter each time: `node replace-times.ts <file>
// <length> <times>`.
const [file = "", length = "0", times = "0"] = process.argv.slice(2);
for (let time = 0; time < Number(times); time++) {
  await replaceFile({ pathOf: (path) => path }, file, (time % 2 === 0 ? "a" : "b").repeat(Number(length)));
}
