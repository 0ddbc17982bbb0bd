/**
 * Returns whether a value is a multiple of `step`, or `undefined` when validators differ. Some validators divide
 * doubles, some compute in decimals (which differs for 0.3 and 0.1), and some take the remainder of whole numbers
 * (which differs for 2^55 and 3).
 */
export function isMultiple(value: number, step: number): boolean | undefined {
  const quotient = value / step;
  if (Math.abs(quotient) >= 1e21) return undefined; // ajv parses the text of such a quotient, 1e+21, as 1
  const binary = Number.isInteger(quotient);
  if (binary !== isDecimalMultiple(value, step)) return undefined;
  const areWhole = Number.isInteger(value) && Number.isInteger(step);
  return areWhole && binary !== (value % step === 0) ? undefined : binary;
}

/** Returns whether every multiple of `step` is a multiple of `other` in each of the three ways in which validators compute. */
export function areMultiples(step: number, other: number): boolean {
  if (step === 0) return false;
  if (step === other) return true;
  if (step % other !== 0 || !isDecimalMultiple(step, other)) return false;
  return (Number.isInteger(step) && Number.isInteger(other)) || isPowerOfTwo(step / other);
}

/** Returns whether a factor is a power of two, because the product of a double and a power of two is never rounded. */
function isPowerOfTwo(factor: number): boolean {
  return Number.isFinite(factor) && 2 ** Math.round(Math.log2(factor)) === factor;
}

function isDecimalMultiple(value: number, step: number): boolean {
  const [a, b] = [decimal(value), decimal(step)];
  const scale = Math.min(a.exponent, b.exponent);
  return (a.digits * 10n ** BigInt(a.exponent - scale)) % (b.digits * 10n ** BigInt(b.exponent - scale)) === 0n;
}

function decimal(value: number): { digits: bigint; exponent: number } {
  const [, whole, fraction, exponent] = /^(-?\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) as RegExpExecArray;
  return { digits: BigInt(`${whole}${fraction ?? ""}`), exponent: Number(exponent) - (fraction?.length ?? 0) };
}
