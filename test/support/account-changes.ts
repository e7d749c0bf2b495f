import { expect } from 'vitest'
import { createAccountLink, type LinkPurpose } from '../../src/sign-in/links/account-links.ts'
import type { FreshDatabase } from './database.ts'
import type { Answer, Call } from './http-client.ts'

/** The service, its database and an administrator. */
export interface Place {
  readonly fresh: Pick<FreshDatabase, 'database'>
  readonly adminToken: string
  call(method: string, path: string, call?: Call): Promise<Answer>
}

export interface Owner {
  readonly id: string
  readonly email: string
  readonly password: string
  /** The token of a session that may make the change. */
  readonly token: string
}

/** A change, and how the owner can sign in again after it. */
export interface AccountChange {
  readonly begin: () => Promise<void>
  readonly finish?: () => Promise<void>
}

export const newPassword = 'seventeen small turtles'

/** Changes that must end every sign-in that began before them. Each is prepared first, and is then one request. */
export const accountChanges: Readonly<Record<string, (place: Place, owner: Owner) => Promise<AccountChange>>> = {
  'a password change': async (place, { token, password }) => ({
    begin: () => done(place.call('PUT', '/auth/password', { token, body: { currentPassword: password, newPassword } })),
  }),
  'a recovery': async (place, owner) => {
    const token = await linkFor(place, owner, 'recovery_reset_factors')
    const body = { token, newPassword }
    return { begin: () => done(place.call('POST', '/auth/recovery/complete', { body })) }
  },
  'disabling and enabling': async (place, { id }) => ({
    begin: () => asAdmin(place, 'POST', `/api/v1/admin/users/${id}/disable`),
    finish: () => asAdmin(place, 'POST', `/api/v1/admin/users/${id}/enable`),
  }),
  'undoing an email change': async (place, owner) => {
    const body = { token: await linkFor(place, owner, 'email_undo', owner.email) }
    return { begin: () => done(place.call('POST', '/auth/email/undo', { body })) }
  },
  'a deletion': async (place, { token }) => ({
    begin: () => done(place.call('POST', '/auth/account/erase', { token })),
  }),
  'an immediate deletion': async (place, { id }) => ({
    begin: () => asAdmin(place, 'DELETE', `/api/v1/admin/users/${id}`, { immediately: true }),
  }),
}

async function linkFor({ fresh }: Place, { id }: Owner, purpose: LinkPurpose, address?: string): Promise<string> {
  const made = await createAccountLink(fresh.database, { accountId: id, purpose, lifeSeconds: 3_600, address })
  return made?.token.open() ?? ''
}

function asAdmin({ call, adminToken }: Place, method: string, path: string, body?: object): Promise<void> {
  return done(call(method, path, { token: adminToken, headers: { 'if-match': '*' }, ...(body && { body }) }))
}

async function done(answered: Promise<Answer>): Promise<void> {
  const { status, text } = await answered
  expect(status, text).toBeLessThan(300)
}
