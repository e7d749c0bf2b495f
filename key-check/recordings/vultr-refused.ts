import type { Recording } from '../simulator/recording.ts'

const account = { name: 'Example', email: 'admin@example.com', balance: 0 }

/** The call after a refusal in `vultr.ts`, with the same keys. */
export const recording: Recording = {
  id: 'vultr',
  keyType: 'api_key',
  call: { method: 'GET', path: '/v2/account', headers: { authorization: 'Bearer {key}' } },
  answers: [
    {
      name: 'no-dns',
      source: 'vultr/govultr account_test.go @9ee451b (the form)',
      status: 200,
      body: { account: { ...account, acls: ['billing'] } },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: {
        capabilities: { scopes: ['billing'], lacks: ['zones:list', 'dns:read', 'dns:edit'], missing: ['dns'] },
      },
    },
    {
      name: 'unexplained-403',
      source: 'vultr/govultr account_test.go @9ee451b (the form)',
      status: 200,
      body: { account: { ...account, acls: ['dns'] } },
      verdict: { isValid: true, code: 'limited_permissions' },
      shows: { capabilities: { scopes: ['dns'] } },
    },
    {
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: { error: 'Forbidden', status: 403 },
    },
  ],
}
