import type { Recording } from '../simulator/recording.ts'

const source = 'vultr/govultr account_test.go @9ee451b'
const account = { name: 'Example', email: 'admin@example.com', balance: 0 }
const zones = { zonesVisible: 2, zones: ['example.eu'], moreZones: true }

/** The permissions of the user, read for details or after the lookup of a zone. */
export const recording: Recording = {
  id: 'vultr',
  keyType: 'api_key',
  call: { method: 'GET', path: '/v2/account', headers: { authorization: 'Bearer {key}' } },
  asks: {},
  answers: [
    {
      name: 'dns',
      source,
      status: 200,
      body: { account: { ...account, acls: ['dns'] } },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          ...zones,
          scopes: ['dns'],
          abilities: ['zones:list', 'dns:read', 'dns:edit'],
          limitedByOwner: true,
        },
      },
    },
    {
      name: 'manages-users',
      source: `${source} (with the words of https://docs.vultr.com/reference/vultr-cli/users/create, 2026-11)`,
      status: 200,
      body: { account: { ...account, acls: ['manage_users', 'dns'] } },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          ...zones,
          scopes: ['manage_users', 'dns'],
          abilities: ['zones:list', 'dns:read', 'dns:edit'],
          limitedByOwner: true,
        },
        advice: {
          text: 'It can manage users, and so get every permission. A key of a user who has only the permission for DNS is safer.',
          page: 'https://my.vultr.com/settings/#settingsusers',
        },
      },
    },
    {
      name: 'dns-by-policy',
      source: `${source} (the form)`,
      status: 200,
      body: { account: { ...account, acls: ['billing'] } },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { ...zones, scopes: ['billing'], abilities: ['zones:list'] } },
    },
    {
      name: 'no-permissions',
      madeUp: 'an account without this member is in no source',
      status: 200,
      body: { account },
    },
  ],
}
