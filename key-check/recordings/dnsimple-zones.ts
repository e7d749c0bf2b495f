import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'dnsimple',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v2/1/zones?per_page=50', headers: { authorization: 'Bearer {key}' } },
  asks: {},
  answers: [
    {
      name: 'valid',
      source: 'dnsimple/dnsimple-developer fixtures/v2/api/listZones/success.http @a1e9b86',
      status: 200,
      body: {
        data: [
          { id: 1, account_id: 1010, name: 'example-alpha.com', reverse: false },
          { id: 2, account_id: 1010, name: 'example-beta.com', reverse: true },
        ],
        pagination: { current_page: 1, per_page: 30, total_entries: 2, total_pages: 1 },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          abilities: ['zones:list'],
          zonesVisible: 2,
          zones: ['example-alpha.com', 'example-beta.com'],
        },
      },
    },
    {
      name: 'no-zones-scope',
      source: 'go-acme/lego#2466, 2025-03',
      status: 403,
      body: { message: 'Permission Denied. Required Scope: zones:*:read' },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: { capabilities: { lacks: ['zones:list', 'dns:read'], missing: ['Zones: Read only'] } },
    },
    {
      name: 'unpaid-zones',
      source: 'dnsimple/dnsimple-developer content/v2.md @13c7966',
      status: 402,
      body: {
        message:
          'This action cannot be completed because you have purchase invoices that need to be paid for: 12345-1010. Please retry the payment.',
      },
      verdict: { isValid: true, code: 'account_restricted' },
    },
    {
      name: 'other-scope',
      source: 'dnsimple/dnsimple-developer content/v2.md @13c7966 (of another call)',
      status: 403,
      body: { message: 'Permission Denied. Required Scope: domains:*:read' },
    },
  ],
}
