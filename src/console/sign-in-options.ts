import type { IssuerEntry } from '../identity/issuers/entries.ts'
import { operation } from '../identity/operation.ts'
import { signInOptionsContract } from './contract.ts'

/** An issuer that the console offers for sign-in. */
export interface ConsoleIssuer extends NonNullable<IssuerEntry['console']> {
  readonly issuer: string
  readonly acrValues: readonly string[]
}

export function consoleIssuers(entries: readonly IssuerEntry[]): readonly ConsoleIssuer[] {
  return entries.flatMap(({ issuer, console: client, stepUp }) => {
    // An authorization request can only ask for values of `acr`, not of other claims.
    const acrValues = stepUp?.acrClaim === 'acr' ? stepUp.acr : []
    return client ? [{ issuer, acrValues, ...client }] : []
  })
}

/** The configured sign-in options. */
export function signInOptions({ builtIn, issuers }: { builtIn: boolean; issuers: readonly ConsoleIssuer[] }) {
  const answer = {
    builtIn,
    issuers: issuers.map(({ issuer, title, clientId, scopes, parameters, acrValues }) => ({
      issuer,
      title,
      clientId,
      scopes: [...scopes],
      parameters,
      acrValues: [...acrValues],
    })),
  }
  return operation(signInOptionsContract, async () => answer)
}
