/** A package in a folder of packages, and what is installed with it. */
export interface InstalledPackage {
  readonly version: string;
  /** Absent if no package lock lists it: a package from a folder, or one that no package manager installed. */
  readonly integrity?: string;
  /** The integrity of each package that it can import, by name and version. */
  readonly dependencies: Readonly<Record<string, string>>;
}
