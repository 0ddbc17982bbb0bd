import { z } from "zod";

/** An input that the document or a person can provide. */
interface Input {
  readonly value?: string | undefined;
  readonly default?: string | undefined;
  readonly isRequired?: boolean | undefined;
  readonly isSecret?: boolean | undefined;
}

/** A variable or header. */
export interface NamedInput extends Input {
  readonly name: string;
}

/** A word of a command line, or an option with its value. */
export type ServerArgument =
  | (NamedInput & { readonly type: "named" })
  | (Input & { readonly type: "positional"; readonly valueHint?: string | undefined });

/** A package that contains the server. */
export interface ServerPackage {
  readonly registryType: string;
  readonly registryBaseUrl?: string | undefined;
  readonly identifier: string;
  readonly version?: string | undefined;
  readonly runtimeHint?: string | undefined;
  readonly transport: { readonly type: string };
  readonly runtimeArguments?: readonly ServerArgument[] | undefined;
  readonly packageArguments?: readonly ServerArgument[] | undefined;
  readonly environmentVariables?: readonly NamedInput[] | undefined;
}

/** A URL at which the server answers. */
export interface ServerRemote {
  readonly type: string;
  readonly url: string;
  readonly headers?: readonly NamedInput[] | undefined;
}

/** The members of a `server.json` that describe how the server is reached; other members are left out. */
interface ServerJson {
  readonly name: string;
  readonly packages?: readonly ServerPackage[] | undefined;
  readonly remotes?: readonly ServerRemote[] | undefined;
}

const text = z.string().max(4096);
const input = z.object({
  value: text.optional(),
  default: text.optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
});
const named = input.extend({ name: text });
const argument = z.discriminatedUnion("type", [
  named.extend({ type: z.literal("named") }),
  input.extend({ type: z.literal("positional"), valueHint: text.optional() }),
]);
const list = <T extends z.ZodType>(item: T) => z.array(item).max(200).optional();

const PackageShape = z.object({
  registryType: text,
  registryBaseUrl: text.optional(),
  identifier: text,
  version: text.optional(),
  runtimeHint: text.optional(),
  transport: z.object({ type: text }),
  runtimeArguments: list(argument),
  packageArguments: list(argument),
  environmentVariables: list(named),
});

const RemoteShape = z.object({
  type: text,
  url: text,
  headers: list(named),
});

/** The shape of a `server.json`. */
export const ServerJsonShape: z.ZodType<ServerJson> = z.object({
  name: text,
  packages: list(PackageShape),
  remotes: list(RemoteShape),
});
