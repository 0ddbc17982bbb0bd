declare module "json-canon" {
  const jsonCanon: (value: unknown) => string;
  export = jsonCanon;
}
