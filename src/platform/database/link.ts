import type { ClientConfig } from 'pg'

import type { Secret } from '../secret.ts'

/** How to reach one database: the parts of an embedded server, or the operator's URL. */
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
 * `sslmode=prefer`, `require` and `verify-ca` mean `verify-full`, as in `pg` 8, whose next major will weaken them: an encrypted link
 * to an unchecked server protects from nobody who can reach the wire. Who wants that says `no-verify` or `uselibpqcompat=true`.
 */
export function strictTls(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
