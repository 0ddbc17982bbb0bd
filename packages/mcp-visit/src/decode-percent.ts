/** A part of a URL without its percent-encoding; the part as it is where the encoding is invalid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
