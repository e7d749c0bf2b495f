import type { Recording } from '../simulator/recording.ts'

const members = 'linode/linodego account_user_grants.go @108be8f (the members)'

/** The grants of a restricted user, after the lookup of a zone. */
export const recording: Recording = {
  id: 'linode',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v4/profile/grants',
    headers: { authorization: 'Bearer {key}' },
  },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'read-only-grant',
      source: members,
      status: 200,
      body: {
        domain: [
          { id: 1, label: 'example.net', permissions: 'read_write' },
          { id: 1065421, label: 'example.com', permissions: 'read_only' },
        ],
        global: { add_domains: false },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          scopes: ['domains:read_write'],
          abilities: ['zones:list', 'dns:read'],
          lacks: ['dns:edit'],
          missing: ['domains:read_write'],
          limitedByOwner: true,
        },
        fitsPurpose: 'yes',
      },
    },
    {
      name: 'edit-grant',
      source: members,
      status: 200,
      body: {
        domain: [{ id: 1065421, label: 'example.com', permissions: 'read_write' }],
        global: { add_domains: false },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          scopes: ['domains:read_write'],
          abilities: ['zones:list', 'dns:read', 'dns:edit'],
          limitedByOwner: true,
        },
        fitsPurpose: 'yes',
      },
    },
    {
      name: 'no-grants-scope',
      source: 'linode/linode-cli#142',
      status: 401,
      body: { errors: [{ reason: 'Your OAuth token is not authorized to use this endpoint.' }] },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
  ],
}
