import { crc32 } from 'node:zlib'

export interface SimulatedUser {
  readonly id: string
  readonly email: string
  readonly globalKey: string
  suspended: boolean
}

export interface SimulatedToken {
  readonly value: string
  /** The account that owns the token; undefined for a user's token. */
  readonly accountId?: string
  status: string
  notBefore?: string
  expiresOn?: string
  /** The token works only from these addresses; verify endpoints ignore them. */
  ipAllow?: readonly string[]
  /** The lists that the token may read. */
  readonly permissions: readonly ('accounts' | 'zones' | 'user')[]
  /** What the list of zones says about the token, such as `#dns_records:edit`. Default: the list says nothing. */
  readonly zonePermissions?: readonly string[]
  /** A zone-scoped token: its list of accounts is empty. */
  readonly seesNoAccount?: boolean
}

export interface SimulatedState {
  readonly users: SimulatedUser[]
  readonly accounts: { readonly id: string; readonly name: string }[]
  readonly tokens: SimulatedToken[]
}

export const accountId = '023e105f4ecef8ad9ca31a8372d0c353'

/** Sample credentials. The first five are published samples; none was ever valid at Cloudflare. */
export const samples = {
  userToken: 'cfut_AAAAAAAAAABBBBBBBBBBCCCCCCCCCCDDDDDDDDDDb6bfc6d6',
  accountToken: 'cfat_0123456789abcdefghijABCDEFGHIJ9876543210d99334a1',
  oldUserToken: 'YQSn-xWAQiiEh9qM58wZNnyQS7FUdoqGIUAbrh7T',
  oldAccountToken: 'Sn3lZJTBX6kkg7OdcBUAxOO963GEIyGQqnFTOFYY',
  oldGlobalKey: 'd3d1443e0adc9c24564c6c5676d679d47e2ca',
  globalKey: 'cfk_testKeyDoNotUse0testKeyDoNotUse1testKey22b096fbd',
  suspendedKey: synthetic('cfk_', 'Suspended'),
  email: 'user@example.com',
  otherEmail: 'other@example.com',
  suspendedEmail: 'suspended@example.com',
  expiring: synthetic('cfut_', 'Expiring'),
  expired: synthetic('cfut_', 'Expired'),
  outOfWindow: synthetic('cfut_', 'OutOfWindow'),
  notYetValid: synthetic('cfut_', 'NotYetValid'),
  disabled: synthetic('cfut_', 'Disabled'),
  revoked: synthetic('cfut_', 'Revoked'),
  userFiltered: synthetic('cfut_', 'UserFiltered'),
  accountDisabled: synthetic('cfat_', 'AccountDisabled'),
  accountFiltered: synthetic('cfat_', 'AccountFiltered'),
  accountLimited: synthetic('cfat_', 'AccountLimited'),
  accountZonesOnly: synthetic('cfat_', 'AccountZonesOnly'),
  unknownUserToken: synthetic('cfut_', 'Unknown'),
  unknownAccountToken: synthetic('cfat_', 'Unknown'),
  unknownOldToken: 'UnknownUnknownUnknownUnknownUnknownUnkno',
} as const

/** A token in the 2026 format with a valid checksum; its body names its purpose. */
export function synthetic(prefix: 'cfut_' | 'cfat_' | 'cfk_', word: string): string {
  const body = word.repeat(40).slice(0, 40)
  return `${prefix}${body}${crc32(body).toString(16).padStart(8, '0')}`
}

const day = 24 * 3_600_000

export function createState(nowMs: number): SimulatedState {
  const at = (days: number) => new Date(nowMs + days * day).toISOString().replace(/\.\d+Z$/, 'Z')
  const all = ['accounts', 'zones', 'user'] as const
  const lists = ['accounts', 'zones'] as const
  const user = { status: 'active', permissions: all }
  const account = { status: 'active', permissions: lists, accountId }
  return {
    users: [
      {
        id: '7c5dae5552338874e5053f2534d2767a',
        email: samples.email,
        globalKey: samples.oldGlobalKey,
        suspended: false,
      },
      {
        id: '9f1839b6152d298aca64c4e906b6d074',
        email: samples.otherEmail,
        globalKey: samples.globalKey,
        suspended: false,
      },
      {
        id: 'f174e90afafe4643bbbc4a0ed4fc8415',
        email: samples.suspendedEmail,
        globalKey: samples.suspendedKey,
        suspended: true,
      },
    ],
    accounts: [{ id: accountId, name: 'Example' }],
    tokens: [
      { ...user, value: samples.userToken },
      { ...user, value: samples.oldUserToken },
      { ...user, value: samples.expiring, expiresOn: at(3) },
      { ...user, value: samples.expired, status: 'expired', expiresOn: at(-30) },
      { ...user, value: samples.outOfWindow, notBefore: at(-400), expiresOn: at(-30) },
      { ...user, value: samples.notYetValid, notBefore: at(30) },
      { ...user, value: samples.disabled, status: 'disabled' },
      { ...user, value: samples.revoked, status: 'revoked' },
      { ...user, value: samples.userFiltered, ipAllow: ['203.0.113.9'] },
      { ...account, value: samples.accountToken },
      { ...account, value: samples.oldAccountToken },
      { ...account, value: samples.accountDisabled, status: 'disabled' },
      { ...account, value: samples.accountFiltered, ipAllow: ['203.0.113.9'] },
      { ...account, value: samples.accountLimited, permissions: [] },
      { ...account, value: samples.accountZonesOnly, permissions: lists, seesNoAccount: true },
    ],
  }
}
