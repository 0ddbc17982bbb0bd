/** What a tool was given, where a framework tells it as a text; the text where it is no JSON. */
export function parsedArguments(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
