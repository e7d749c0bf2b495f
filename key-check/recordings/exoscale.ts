import type { Recording } from '../simulator/recording.ts'
import { isSignedExo2 } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'exoscale',
  keyType: 'api_key',
  parts: { apiKeyId: 'EXOexample' },
  call: {
    method: 'GET',
    path: '/v2/dns-domain',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedExo2(sent, parts.apiKeyId ?? '', apiKey),
  },
  answers: [
    {
      name: 'valid',
      source: 'exoscale/egoscale v3/operations.go @d767924',
      status: 200,
      body: {
        'dns-domains': [
          {
            id: '89083a5c-1111-4222-8333-444455556666',
            'unicode-name': 'example.com',
            'created-at': '2025-06-21T08:00:00Z',
          },
        ],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.com'] } },
    },
    {
      name: 'no-domains',
      source: 'exoscale/egoscale v3/operations.go @d767924 (no domain)',
      status: 200,
      body: { 'dns-domains': [] },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 0 } },
    },
    {
      name: 'forbidden-by-role',
      source: 'exoscale/cli#716 (text, for another service), exoscale/egoscale v3/errors.go @d767924 (form)',
      status: 403,
      body: { message: 'Forbidden by role policy for dns' },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: { capabilities: { lacks: ['zones:list'], missing: ['list-dns-domains'] } },
    },
    {
      name: 'forbidden-by-rule',
      source:
        'exoscale/terraform-provider-exoscale examples/iam-dbaas-instance/README.md, 2026-11 (text, for another service), exoscale/egoscale v3/errors.go @d767924 (plain text)',
      status: 403,
      body: 'Forbidden by role policy for dns - A deny rule matched. Rule index: 0',
      verdict: { isValid: true, code: 'ability_missing' },
    },
    {
      name: 'forbidden',
      source: 'exoscale/egoscale v2 errors.go @d767924 (several causes)',
      status: 403,
      body: { message: 'Forbidden' },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: { 'retry-after': '17' },
      body: {},
    },
  ],
}
