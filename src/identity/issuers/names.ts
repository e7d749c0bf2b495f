/** Prefix of the built-in issuer's names in the table `identity`. */
export const reservedPrefix = 'urn:muster:'

/**
 * The built-in issuer's name in the table `identity`. It does not change with the public address, so accounts survive a
 * new address.
 */
export const builtInIssuer = 'urn:muster:issuer'

/**
 * Names of issuers. Outside, an issuer has the name that its tokens have in the claim `iss`. Other issuers have the
 * same name in the table `identity`.
 */
export interface IssuerNames {
  /** The name in the table `identity`. Also accepts that name. */
  stored(iss: string): string
  /** The same object with its `identities` named as outside. */
  shown<Value extends object>(value: Value): Value
}

/** `builtIn` is undefined if the built-in issuer is disabled: the public address then names no issuer. */
export function issuerNames(
  builtIn: { readonly issuer: string; readonly identityIssuer: string } | undefined,
): IssuerNames {
  const shownName = (issuer: string) => (issuer === builtIn?.identityIssuer ? builtIn.issuer : issuer)
  return {
    stored: (iss) => (iss === builtIn?.issuer ? builtIn.identityIssuer : iss),
    shown(value) {
      if (!hasIdentities(value)) return value
      return { ...value, identities: value.identities.map((one) => ({ ...one, issuer: shownName(one.issuer) })) }
    },
  }
}

interface WithIdentities {
  readonly identities: readonly { readonly issuer: string; readonly subject: string }[]
}

/** A trust boundary to our own SQL, which writes each identity with these members. */
function hasIdentities<Value extends object>(value: Value): value is Value & WithIdentities {
  return 'identities' in value && Array.isArray(value.identities)
}
