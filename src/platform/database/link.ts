import type { ClientConfig } from 'pg'

import type { Secret } from '../secret.ts'

/** How to reach a database: the parts of an embedded server, or the operator's URL. */
export type Link =
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly database: string
      readonly password: Secret
    }
  | { readonly url: Secret }

/** The settings of `pg` for this link. The password is opened only when the server asks for it. */
export function clientConfig(link: Link): ClientConfig {
  if ('url' in link) return { connectionString: strictTls(link.url.open()) }
  const { host, port, user, database, password } = link
  return { host, port, user, database, password: () => password.open(), ssl: false }
}

/**
 * `sslmode=prefer`, `require` and `verify-ca` mean `verify-full`, as in `pg` 8; its next major version will weaken them. Encryption
 * without verification does not stop an attacker on the network. `no-verify` and `uselibpqcompat=true` allow it explicitly.
 */
export function strictTls(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
