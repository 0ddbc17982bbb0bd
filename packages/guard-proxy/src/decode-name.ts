/** The name of a server in the path of an address of the guard; the text as it is where its percent-encoding is invalid. */
export function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
