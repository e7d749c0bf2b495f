/** Whose key is to be checked. Never the key itself. */
export interface KeysSearch {
  readonly provider?: string
}

export function keysSearch({ provider }: Readonly<Record<string, unknown>>): KeysSearch {
  return typeof provider === 'string' && provider !== '' ? { provider } : {}
}
