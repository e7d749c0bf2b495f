import { isIP } from 'node:net'
import type { SettingsReader } from '../../platform/settings.ts'

/** Where passkeys of this service are made and used. */
export interface PasskeySettings {
  /** The domain that passkeys belong to: a browser offers them at no other. */
  readonly rpId: string
  /** Of pages and apps that may use them, compared exactly. */
  readonly origins: readonly string[]
}

/** `undefined` where browsers would refuse passkeys: by default they belong to the public address, which may be no place for them. */
export function readPasskeySettings(read: SettingsReader, publicUrl: string): PasskeySettings | undefined {
  const home = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined
  const rpId = read.text(
    'MUSTER_WEBAUTHN_RP_ID',
    'Domain that passkeys belong to. Passkeys of another domain are lost. By default the host of MUSTER_PUBLIC_URL.',
    '',
  )
  if (rpId !== '' && !isDomain(rpId))
    read.faults.push('MUSTER_WEBAUTHN_RP_ID must be a domain in lower case, such as example.com, or localhost.')
  const listed = read.list(
    'MUSTER_WEBAUTHN_ORIGINS',
    'Origins whose pages may use passkeys, and android:apk-key-hash:… of apps. By default the origin of MUSTER_PUBLIC_URL.',
    passkeyOriginFault,
  )
  const own = home && isSecure(home) ? [home.origin] : []
  const settings = { rpId: rpId || (home?.hostname ?? ''), origins: listed.length > 0 ? listed : own }
  return isDomain(settings.rpId) && settings.origins.length > 0 ? settings : undefined
}

/** Pages of other domains than the passkeys': browsers ask the domain of the passkeys whether they may use them. */
export function relatedOrigins({ rpId, origins }: PasskeySettings): readonly string[] {
  const pages = origins.filter((origin) => URL.canParse(origin) && new URL(origin).hostname !== '')
  const isOfDomain = (origin: string) => `.${new URL(origin).hostname}`.endsWith(`.${rpId}`)
  return pages.every(isOfDomain) ? [] : pages
}

/** Browsers take no address for the domain of a passkey. */
function isDomain(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(name) && isIP(name) === 0
}

function passkeyOriginFault(value: string): string | undefined {
  if (/^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(value)) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.origin !== value || value.includes('*'))
    return 'must contain origins as browsers send them, such as https://app.example.com, or android:apk-key-hash:… with the hash in base64url.'
  return isSecure(url) ? undefined : 'must contain https origins; http is for localhost only.'
}

function isSecure({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || hostname.endsWith('.localhost')))
  )
}
