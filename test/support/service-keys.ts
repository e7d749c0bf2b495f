import type { Person, Service } from './service.ts'

export interface TestKey {
  readonly id: string
  readonly key: string
  readonly expiresAt: string
}

/** Everything that a service key can be given. */
export const allPermissions = {
  users: ['list', 'read'],
  user_data: ['read'],
  provider_keys: ['validate'],
  organization: ['read'],
}

export const keysPath = '/api/v1/admin/service-keys'

/** Each key gets a name of its own. */
export async function newKey(
  service: Service,
  { token }: Pick<Person, 'token'>,
  more: { readonly permissions?: object; readonly orgId?: string; readonly expiresInDays?: number } = {},
): Promise<TestKey> {
  const body = { name: crypto.randomUUID(), permissions: allPermissions, ...more }
  const { status, text, body: created } = await service.post(keysPath, { token, body })
  if (status !== 201) throw new Error(`no service key was made: ${text}`)
  return created as TestKey
}
