import { createHash, generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import {
  fulcioHandler,
  initializeCA,
  initializeCTLog,
  initializeTLog,
  initializeTSA,
  rekorHandler,
  tsaHandler,
} from "@sigstore/mock";
import { HashAlgorithm, PublicKeyDetails, TrustedRoot } from "@sigstore/protobuf-specs";

// The mock loads nock, which would then intercept every request of the process.
createRequire(import.meta.resolve("@sigstore/mock"))("nock").restore();

type Handler = ReturnType<typeof fulcioHandler>;
type Answer = Awaited<ReturnType<Handler["fn"]>>;
type TLog = Awaited<ReturnType<typeof initializeTLog>>;

/** An entry of kind `dsse`, as a client proposes it. */
interface ProposedEntry {
  readonly spec: { readonly proposedContent: { readonly envelope: string; readonly verifiers: readonly string[] } };
}

/** The times of an instance, if its answers do not all have the same time. */
export interface InstanceOptions {
  /** The time from which certificates are valid, for ten minutes. */
  readonly certified?: Date;
  /** The time in the log and the timestamps. */
  readonly witnessed?: Date;
}

/**
 * A Sigstore instance on this machine, with its own authorities: Fulcio, Rekor and a time stamp authority at one
 * address.
 */
export class SigstoreInstance {
  readonly url: string;
  /** The text of the trusted root. */
  readonly trustedRoot: string;
  readonly #server: Server;

  private constructor(server: Server, url: string, trustedRoot: string) {
    this.#server = server;
    this.url = url;
    this.trustedRoot = trustedRoot;
  }

  static async start({
    certified = inAnHour(),
    witnessed = certified,
  }: InstanceOptions = {}): Promise<SigstoreInstance> {
    const keys = () => generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const handlers = new Map<string, Handler>();
    const server = createServer(async (request, response) => {
      const { url: path = "" } = request;
      const asked = withCredentials(await bodyOf(request), request.headers.authorization);
      const answer = asService(path, (await handlers.get(path)?.fn(asked)) ?? NOT_FOUND);
      response.writeHead(answer.status, answer.headers).end(answer.response);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ctlog = await initializeCTLog(keys(), certified);
    const ca = await initializeCA(keys(), ctlog, certified);
    const tlog = await initializeTLog(url, keys(), witnessed);
    const tsa = await initializeTSA(keys(), witnessed);
    for (const handler of [fulcioHandler(ca), rekorHandler(storing(tlog)), tsaHandler(tsa)])
      handlers.set(handler.path, handler);
    const root = TrustedRoot.toJSON({
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      certificateAuthorities: [authority(url, [ca.rootCertificate])],
      timestampAuthorities: [authority(url, [tsa.intCertificate, tsa.rootCertificate])],
      tlogs: [log(url, tlog.publicKey)],
      ctlogs: [log(url, ctlog.publicKey)],
    });
    return new SigstoreInstance(server, url, JSON.stringify(root));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

/**
 * Returns a time at which the authorities are valid, however long they take to start. It has no fraction of a second,
 * because the mock's time stamps may have none.
 */
export function inAnHour(): Date {
  return new Date((Math.ceil(Date.now() / 1000) + 3600) * 1000);
}

/** Returns a token that states who someone is. The instance does not check its signature. */
export function identityToken(sub: string, iss: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ aud: "sigstore", iss, sub })}.${part({ secret: "of-the-token" })}`;
}

/**
 * Returns the status and headers of the real services where the mock differs: Fulcio answers with 200, and Rekor names
 * the entry.
 */
function asService(path: string, { statusCode, response, contentType }: Answer) {
  const isIssued = statusCode === 201 && path === "/api/v2/signingCert";
  const isLogged = statusCode === 201 && path === "/api/v1/log/entries";
  const [etag = ""] = isLogged ? Object.keys(JSON.parse(String(response))) : [];
  const headers = { "content-type": contentType ?? "text/plain", ...(isLogged && { etag }) };
  return { status: isIssued ? 200 : statusCode, headers, response };
}

/** Returns a certificate request with the client's token in the body; Fulcio also accepts it in the header. */
function withCredentials(body: string, authorization: string | undefined): string {
  const [, oidcIdentityToken] = /^Bearer (.+)$/.exec(authorization ?? "") ?? [];
  return oidcIdentityToken === undefined
    ? body
    : JSON.stringify({ credentials: { oidcIdentityToken }, ...JSON.parse(body) });
}

/** Returns a log that stores an envelope as Rekor does: by its digests and signatures. */
function storing(tlog: TLog): TLog {
  return {
    publicKey: tlog.publicKey,
    logV2: (entry) => tlog.logV2(entry),
    log: (proposed) => {
      const { spec, ...entry } = proposed as ProposedEntry;
      const { envelope, verifiers } = spec.proposedContent;
      const { payload, signatures } = JSON.parse(envelope);
      const hashOf = (data: string | Buffer) => ({
        algorithm: "sha256",
        value: createHash("sha256").update(data).digest("hex"),
      });
      const stored = {
        envelopeHash: hashOf(envelope),
        payloadHash: hashOf(Buffer.from(payload, "base64")),
        signatures: [{ signature: signatures[0].sig, verifier: verifiers[0] }],
      };
      return tlog.log({ ...entry, spec: stored });
    },
  };
}

const NOT_FOUND: Answer = { statusCode: 404, response: "" };
const VALID = { start: new Date("2020-01-01T00:00:00Z"), end: undefined };

function authority(uri: string, certificates: readonly ArrayBufferView[]) {
  return {
    subject: { commonName: "sigstore", organization: "sigstore.mock" },
    uri,
    certChain: { certificates: certificates.map((each) => ({ rawBytes: bytesOf(each) })) },
    validFor: VALID,
    operator: "",
  };
}

function log(baseUrl: string, publicKey: Buffer) {
  const keyId = createHash("sha256").update(publicKey).digest();
  return {
    baseUrl,
    hashAlgorithm: HashAlgorithm.SHA2_256,
    publicKey: { rawBytes: publicKey, keyDetails: PublicKeyDetails.PKIX_ECDSA_P256_SHA_256, validFor: VALID },
    logId: { keyId },
    checkpointKeyId: undefined,
    operator: "",
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
