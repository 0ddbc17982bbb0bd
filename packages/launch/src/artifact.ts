/** A package or image that a launch resolves to, with the digests of its bytes. */
export interface LockedArtifact {
  /** RFC 6901 JSON Pointer to the word in the launch that names it. */
  readonly pointer: string;
  readonly kind: "npm" | "pypi" | "oci";
  readonly name: string;
  /** The version; for an image, the tag or the digest that the launch names. */
  readonly version: string;
  /** The integrity of an npm package (`sha512-…`), or the digest of an image's index (`sha256:…`). */
  readonly integrity?: string;
  /** The digests of a release's files by name (SHA-256), or of an image's manifests by platform. */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * The integrity of each package that is installed with it, by name and version: `zod@4.1.0`. For a PyPI package, a
   * wheel's tags follow if the wheel does not fit every machine: `rpds-py@0.30.0/cp312-cp312-win_amd64`.
   */
  readonly dependencies?: Readonly<Record<string, string>>;
  /**
   * The sorted names of those npm packages, among this one and its dependencies, whose install scripts a person
   * allowed; absent if there are none. No digest covers the files that a script writes.
   */
  readonly scripts?: readonly string[];
}

/** An artifact as it would run on this machine. */
export interface FoundArtifact extends LockedArtifact {
  /** Where the information comes from: the installed package, the runner's cache, or the registry. */
  readonly source: "installed" | "cache" | "registry";
  /** The name of the file or the platform that this machine runs, where `files` has several. */
  readonly chosen?: string;
}
