/** The members of an entry, as in the JSON of MUSTER_ISSUERS. */
export type RawEntry = Readonly<Record<string, unknown>>

/** Defaults for a product, so that its entry needs only two lines. The members of the entry take precedence. */
export interface Preset {
  /** A member that can replace the issuer URL. */
  readonly shorthand?: { readonly member: string; readonly issuerOf: (value: string) => string }
  /** For products without an audience: the claim that must have one of the values in `parties`. */
  readonly partyClaim?: string
  /** Path of the key set below the issuer URL. Without it the discovery document names the URL. */
  readonly keysPath?: string
  readonly audienceIsIssuer?: boolean
  /** An algorithm that is also accepted if the entry has a `secret`. */
  readonly secretAlgorithm?: string
  readonly entry: RawEntry & { readonly algorithms: readonly string[] }
}

/**
 * Presets by product name. Claims and URLs follow the vendors' documentation; docs/issuers.md explains the settings at
 * each vendor. Compare them with a token of your own tenant.
 */
export const presets: Readonly<Record<string, Preset>> = {
  /** A project with the legacy shared secret signs with HS256, and with both while it migrates to signing keys. */
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

  /** The trailing slash is part of the issuer. */
  auth0: {
    shorthand: { member: 'domain', issuerOf: (domain) => `https://${domain}/` },
    entry: { algorithms: ['RS256'], claims: { session: 'sid' } },
  },

  /**
   * The claim `typ` tells access tokens from refresh, ID and logout tokens. Older releases put `nonce` into access
   * tokens too.
   */
  keycloak: {
    entry: {
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      exactly: { typ: 'Bearer' },
      claims: { session: 'sid' },
      refusesIdTokens: false,
    },
  },

  /** `sts` is `pending` while the session is incomplete, for example without its second factor. */
  clerk: {
    partyClaim: 'azp',
    entry: { algorithms: ['RS256'], claims: { session: 'sid' }, never: { sts: 'pending' } },
  },

  /** `sub` differs between applications, `oid` does not. ID tokens have the same audience and no `scp`. */
  entra: {
    shorthand: { member: 'tenant', issuerOf: (tenant) => `https://login.microsoftonline.com/${tenant}/v2.0` },
    entry: { algorithms: ['RS256'], present: ['scp'], claims: { subject: 'oid', session: 'sid' } },
  },

  /** Access tokens have `jti`, ID tokens do not. */
  zitadel: {
    entry: { algorithms: ['RS256', 'ES256', 'EdDSA'], present: ['jti'], claims: { session: 'sid' } },
  },

  /** Without a resource the access token is opaque, so clients must request the API as resource. */
  logto: {
    shorthand: { member: 'endpoint', issuerOf: (endpoint) => `https://${endpoint}/oidc` },
    entry: { algorithms: ['ES384', 'RS256'] },
  },

  /** Access tokens have `client_id` instead of an audience. */
  cognito: {
    partyClaim: 'client_id',
    entry: { algorithms: ['RS256'], exactly: { token_use: 'access' } },
  },

  /** Add the session claim with `definePayload`. */
  'better-auth': {
    keysPath: '/api/auth/jwks',
    audienceIsIssuer: true,
    entry: { algorithms: ['EdDSA'], claims: { session: 'sid' } },
  },
}
