/**
 * How the declarations of a package are made. `pnpm typecheck` checks the types, and every export has its type written out, so that no
 * type is computed here, and none is read of a library that no declaration names.
 */
export const dts = { compilerOptions: { noCheck: true, types: [] as string[] } };
