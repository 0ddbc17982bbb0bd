/** The rules that a policy can name. */
export interface RuleCatalog {
  /**
   * The rule of an id, or of an id without its domain; `undefined` where there is none.
   */
  find(id: string): { readonly id: string; readonly isConfigurable: boolean } | undefined;
}
