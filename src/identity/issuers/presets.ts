/** Members of an entry of MUSTER_ISSUERS, as they stand in its JSON. */
export type RawEntry = Readonly<Record<string, unknown>>

/** What is known of a product, so that an entry for it needs two lines. Whatever the entry says itself goes before. */
export interface Preset {
  /** A member that may stand for the issuer's address. */
  readonly shorthand?: { readonly member: string; readonly issuerOf: (value: string) => string }
  /** For products that name no audience: the claim of which the member `parties` lists the values. */
  readonly partyClaim?: string
  /** Where the keys are below the issuer's address. Without it, where the discovery document says. */
  readonly keysPath?: string
  readonly audienceIsIssuer?: boolean
  /** An algorithm that is taken as well where the entry has a `secret`. */
  readonly secretAlgorithm?: string
  readonly entry: RawEntry
}

/**
 * Products by name. Claims and addresses are starting values from the vendors' documentation; docs/issuers.md says for each what
 * has to be set at the vendor. Compare them with a token of your own tenant.
 */
export const presets: Readonly<Record<string, Preset>> = {
  /** A project with the older shared secret sends HS256; while it changes to signing keys, both. */
  supabase: {
    shorthand: { member: 'project', issuerOf: (project) => `https://${project}.supabase.co/auth/v1` },
    keysPath: '/.well-known/jwks.json',
    secretAlgorithm: 'HS256',
    entry: {
      algorithms: ['ES256', 'RS256'],
      audience: 'authenticated',
      claims: { session: 'session_id' },
      never: { is_anonymous: true },
    },
  },

  /** The slash at the end belongs to the issuer. */
  auth0: {
    shorthand: { member: 'domain', issuerOf: (domain) => `https://${domain}/` },
    entry: { algorithms: ['RS256'], claims: { session: 'sid' } },
  },

  /** Refresh, ID and logout tokens say what they are in the claim `typ`. Older releases put `nonce` into access tokens as well. */
  keycloak: {
    entry: {
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      exactly: { typ: 'Bearer' },
      claims: { session: 'sid' },
      refusesIdTokens: false,
    },
  },

  /** `sts` is `pending` while the session still waits for something, a second factor for example. */
  clerk: {
    partyClaim: 'azp',
    entry: { algorithms: ['RS256'], claims: { session: 'sid' }, never: { sts: 'pending' } },
  },

  /** `sub` differs from application to application, `oid` does not. ID tokens have the same audience and no `scp`. */
  entra: {
    shorthand: { member: 'tenant', issuerOf: (tenant) => `https://login.microsoftonline.com/${tenant}/v2.0` },
    entry: { algorithms: ['RS256'], present: ['scp'], claims: { subject: 'oid', session: 'sid' } },
  },

  /** Access tokens have `jti`, ID tokens do not. */
  zitadel: {
    entry: { algorithms: ['RS256', 'ES256', 'EdDSA'], present: ['jti'], claims: { session: 'sid' } },
  },

  /** Without a resource the access token is opaque: clients ask for the API. */
  logto: {
    shorthand: { member: 'endpoint', issuerOf: (endpoint) => `https://${endpoint}/oidc` },
    entry: { algorithms: ['ES384', 'RS256'] },
  },

  /** Access tokens carry no audience but `client_id`. */
  cognito: {
    partyClaim: 'client_id',
    entry: { algorithms: ['RS256'], exactly: { token_use: 'access' } },
  },

  /** The session claim has to be added with `definePayload`. */
  'better-auth': {
    keysPath: '/api/auth/jwks',
    audienceIsIssuer: true,
    entry: { algorithms: ['EdDSA'], claims: { session: 'sid' } },
  },
}
