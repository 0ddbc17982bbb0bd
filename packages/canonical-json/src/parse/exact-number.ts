const DIGIT_ZERO = 0x30;
/**
 * A number of at most this many characters has at most 15 significant digits, which a double keeps, and no exponent
 * below the normal range.
 */
const ALWAYS_EXACT_LENGTH = 15;
const EXPONENT = /[eE]/;

/**
 * Returns whether a double holds a number exactly, which means that the number's text has the same decimal value as the
 * shortest text of its nearest double.
 *
 * @param word - A JSON number.
 * @param value - Its nearest double, which is finite.
 */
export function isExactNumber(word: string, value: number): boolean {
  if (word.length <= ALWAYS_EXACT_LENGTH && !EXPONENT.test(word)) return true;
  return decimalOf(word) === decimalOf(String(value));
}

/** Returns a decimal number's absolute value as significant digits and a power of ten; `""` is zero. */
function decimalOf(text: string): string {
  const [mantissa = "", exponent = "0"] = text.split(EXPONENT);
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = whole + fraction;
  let start = 0;
  while (digits.charCodeAt(start) === DIGIT_ZERO) start++;
  let end = digits.length;
  while (end > start && digits.charCodeAt(end - 1) === DIGIT_ZERO) end--;
  if (start === end) return "";
  return `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
