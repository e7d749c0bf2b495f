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
