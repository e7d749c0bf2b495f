import { crc32 } from 'node:zlib'
import type { CredentialTraits, Hint } from '../../engine/provider.ts'

/** What the value looks like, in one word. Tokens of 2026: prefix + 40 + CRC-32 of the 40 in hex. */
export function shapeOf(apiKey: string): string {
  const family = { cfut_: 'user_token', cfat_: 'account_token', cfk_: 'global_key' }
  for (const [prefix, shape] of Object.entries(family))
    if (apiKey.startsWith(prefix)) return hasChecksum(apiKey.slice(prefix.length)) ? shape : `${shape}_mistyped`
  if (/^cfoat_/.test(apiKey)) return 'oauth_token'
  if (/^v1\.0-/.test(apiKey)) return 'origin_ca_key'
  if (/^[0-9a-f]{32}$/.test(apiKey)) return 'id'
  // 40 hex digits may be an old token or an old key, so they prove nothing.
  if (/^[0-9a-f]{40}$/.test(apiKey)) return 'forty_hex'
  if (/^[0-9a-f]{37,45}$/.test(apiKey)) return 'old_global_key'
  if (/^[A-Za-z0-9_-]{40}$/.test(apiKey)) return 'old_token'
  if (/^[A-Za-z0-9_-]{38,42}$/.test(apiKey)) return 'old_token_mistyped'
  if (/^(?:cfut_|cfat_|[A-Za-z0-9_-]{40}$)/.test(Buffer.from(apiKey, 'base64').toString('latin1'))) return 'base64'
  return /["'`{}$<>]/.test(apiKey) ? 'quoted' : 'other'
}

function hasChecksum(rest: string): boolean {
  const [, body, checksum] = /^([A-Za-z0-9]{40})([0-9a-f]{8})$/.exec(rest) ?? []
  return body !== undefined && crc32(body).toString(16).padStart(8, '0') === checksum
}

export function hintFor({ keyType, shape }: CredentialTraits): { hint?: Hint } {
  const [asToken, asKey] = hints[shape] ?? []
  const hint = keyType === 'api_token' ? asToken : asKey
  return hint ? { hint } : {}
}

/** Hints by shape: for a value sent as a token, and for one sent as a key. */
const hints: Readonly<Record<string, readonly [asToken: Hint | undefined, asKey: Hint | undefined]>> = {
  id: ['looks_like_id', 'looks_like_id'],
  origin_ca_key: ['looks_like_origin_ca_key', 'looks_like_origin_ca_key'],
  oauth_token: ['looks_like_oauth_token', 'looks_like_oauth_token'],
  quoted: ['looks_quoted', 'looks_quoted'],
  global_key: ['looks_like_global_key', undefined],
  global_key_mistyped: ['looks_like_global_key', 'looks_mistyped'],
  old_global_key: ['looks_like_global_key', undefined],
  user_token: [undefined, 'looks_like_token'],
  user_token_mistyped: ['looks_mistyped', 'looks_like_token'],
  account_token: [undefined, 'looks_like_token'],
  account_token_mistyped: ['looks_mistyped', 'looks_like_token'],
  old_token: [undefined, 'looks_like_token'],
  old_token_mistyped: ['looks_mistyped', undefined],
  base64: ['looks_base64', 'looks_base64'],
}
