import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A certificate with its key, as PEM. */
export interface Certificate {
  readonly name: string;
  readonly key: KeyObject;
  readonly cert: string;
}

/** The options for a certificate. */
interface Wishes {
  readonly name: string;
  /** Absent for a self-signed certificate, which can also sign others. */
  readonly issuer?: Certificate;
  /** The host name that the certificate is for. */
  readonly host?: string;
  readonly notAfter?: Date;
}

/** Returns the DER encoding of a value: its tag, its length and its contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const hex = (text: string): Buffer => Buffer.from(text, "hex");
const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents);
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().replaceAll(/\D/g, "").slice(0, 14)}Z`));
const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(hex("0603550403"), der(0x0c, Buffer.from(name)))));
const extension = (oid: string, value: Buffer): Buffer => sequence(hex(oid), hex("0101ff"), der(0x04, value));
/** ECDSA with SHA-256. */
const ALGORITHM = sequence(hex("06082a8648ce3d040302"));
const DAY = 86_400_000;

/** Returns an X.509 certificate, version 3, with a P-256 key. */
export function certificate({ name, issuer, host, notAfter = new Date(Date.now() + DAY) }: Wishes): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const constraints = issuer === undefined ? sequence(hex("0101ff")) : sequence();
  const extensions = [extension("0603551d13", constraints)];
  if (host !== undefined) {
    extensions.push(sequence(hex("0603551d11"), der(0x04, sequence(der(0x82, Buffer.from(host))))));
  }
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const body = sequence(
    der(0xa0, hex("020102")),
    der(0x02, serial),
    ALGORITHM,
    nameOf(issuer?.name ?? name),
    sequence(time(new Date(notAfter.getTime() - 2 * DAY)), time(notAfter)),
    nameOf(name),
    spki,
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", body, issuer?.key ?? privateKey);
  const text = sequence(body, ALGORITHM, der(0x03, Buffer.from([0]), signature)).toString("base64");
  const lines = text.replaceAll(/(.{64})/g, "$1\n").trim();
  return { name, key: privateKey, cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}
