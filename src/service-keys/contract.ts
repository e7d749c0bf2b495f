import Type, { type Static } from 'typebox'
import { serviceGrants } from '../identity/permission-scope.ts'
import { administratorNeeds, contract, json, named, object, text, time } from '../platform/http/contract.ts'
import { displayedNamePattern, uuidRules } from '../platform/http/formats.ts'

export const serviceKeyDaysMax = 366
export const serviceKeyDaysDefault = 90
export const overlapSecondsMax = 7 * 86_400
export const overlapSecondsDefault = 86_400

/** Permissions by resource, as in user data. */
const ServicePermissions = object(
  {
    users: Type.Optional(Type.Array(Type.Enum([...serviceGrants.users]), { minItems: 1, maxItems: 2 })),
    user_data: Type.Optional(Type.Array(Type.Enum([...serviceGrants.user_data]), { minItems: 1, maxItems: 1 })),
    provider_keys: Type.Optional(Type.Array(Type.Enum([...serviceGrants.provider_keys]), { minItems: 1, maxItems: 1 })),
    organization: Type.Optional(Type.Array(Type.Enum([...serviceGrants.organization]), { minItems: 1, maxItems: 1 })),
  },
  { minProperties: 1, description: 'Permitted actions by resource.' },
)
export type ServicePermissions = Static<typeof ServicePermissions>

const recordMembers = {
  id: Type.String(),
  name: Type.String(),
  hint: text('The first characters of the key.'),
  permissions: ServicePermissions,
  orgId: Type.Optional(text('The key can read only data of this organization.')),
  createdAt: time(),
  expiresAt: time(),
  lastUsedAt: Type.Optional(text('RFC 3339, updated at most every 15 minutes.')),
  status: Type.Enum(['active', 'rotated', 'expired', 'revoked'], {
    description: '`rotated`: another key replaces it, and it works until `expiresAt`.',
  }),
}

export const ServiceKeyRecord = named('ServiceKeyRecord', recordMembers)
export type ServiceKeyRecord = Static<typeof ServiceKeyRecord>

export const CreatedServiceKey = named('CreatedServiceKey', {
  ...recordMembers,
  key: text('The key, shown only once.'),
})
export type CreatedServiceKey = Static<typeof CreatedServiceKey>

const NewServiceKey = named('NewServiceKey', {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: displayedNamePattern }),
  permissions: ServicePermissions,
  expiresInDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: serviceKeyDaysMax, description: `Default: ${serviceKeyDaysDefault}.` }),
  ),
  orgId: Type.Optional(
    Type.String({ ...uuidRules, description: 'Restricts the key to this organization. Default: no restriction.' }),
  ),
})

const RotateServiceKey = named('RotateServiceKey', {
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: overlapSecondsMax,
      description: `How long the old key keeps working. Default: ${overlapSecondsDefault}.`,
    }),
  ),
})

const example: ServiceKeyRecord = {
  id: '0197b2a4-6d02-7b1e-9a40-3c5d1e0f7a11',
  name: 'Nightly report',
  hint: 'msk_7Yb2',
  permissions: { users: ['list'], user_data: ['read'] },
  createdAt: '2026-01-31T09:26:53.589793Z',
  expiresAt: '2026-05-01T09:26:53.589793Z',
  status: 'active',
}

const created = {
  201: json('The new key, shown only once', CreatedServiceKey, { ...example, key: `msk_7Yb2${'…'.repeat(3)}` }),
} as const

const common = { tag: 'Administration', needs: administratorNeeds } as const

export const serviceKeyContracts = {
  list: contract('GET /api/v1/admin/service-keys', 'service_keys:manage', {
    ...common,
    id: 'listServiceKeys',
    summary: 'List service keys',
    description: 'Valid keys, and keys that were revoked or expired in the last 30 days, the oldest first.',
    answers: {
      200: json('Service keys', named('ServiceKeys', { keys: Type.Array(ServiceKeyRecord) }), { keys: [example] }),
    },
  }),
  create: contract('POST /api/v1/admin/service-keys', 'service_keys:manage', {
    ...common,
    id: 'createServiceKey',
    summary: 'Create a service key',
    description: 'A key for a program, with exactly the given permissions. The caller’s role must grant all of them.',
    body: NewServiceKey,
    bodyExamples: {
      report: {
        summary: 'For a report',
        value: { name: 'Nightly report', permissions: { users: ['list'], user_data: ['read'] }, expiresInDays: 90 },
      },
    },
    answers: created,
    problems: ['permission_exceeds', 'service_key_name_taken'],
  }),
  rotate: contract('POST /api/v1/admin/service-keys/{keyId}/rotate', 'service_keys:manage', {
    ...common,
    id: 'rotateServiceKey',
    summary: 'Rotate a service key',
    description:
      'The new key has the same name, permissions and lifetime. The old key works until the overlap ends, and never past its own expiry.',
    body: RotateServiceKey,
    bodyExamples: { day: { summary: 'With an overlap of one day', value: { overlapSeconds: 86_400 } } },
    answers: created,
    problems: ['permission_exceeds', 'service_key_unknown'],
  }),
  revoke: contract('DELETE /api/v1/admin/service-keys/{keyId}', 'service_keys:manage', {
    ...common,
    id: 'revokeServiceKey',
    summary: 'Revoke a service key',
    description: 'Takes effect on all nodes immediately. The caller’s role must grant everything that the key may do.',
    answers: { 204: { description: 'Revoked' } },
    problems: ['permission_exceeds', 'service_key_unknown'],
  }),
}
