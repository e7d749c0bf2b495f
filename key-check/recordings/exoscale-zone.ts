import type { Recording } from '../simulator/recording.ts'
import { isSignedExo2 } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'exoscale',
  keyType: 'api_key',
  parts: { apiKeyId: 'EXOexample' },
  call: {
    method: 'GET',
    path: '/v2/dns-domain/89083a5c-1111-4222-8333-444455556666/record',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedExo2(sent, parts.apiKeyId ?? '', apiKey),
  },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'zone',
      source: 'exoscale/egoscale v3/operations.go @d767924',
      status: 200,
      body: {
        'dns-domain-records': [
          {
            id: '4e1f5c2a-1111-4222-8333-444455556666',
            name: '',
            type: 'NS',
            content: 'ns1.exoscale.example',
            ttl: 3600,
          },
        ],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list', 'dns:read'], zonesVisible: 1, zones: ['example.com'] },
        fitsPurpose: 'yes',
      },
    },
    {
      name: 'records-forbidden-by-role',
      source: 'exoscale/cli#716 (text, for another service), exoscale/egoscale v3/errors.go @d767924 (form)',
      status: 403,
      body: { message: 'Forbidden by role policy for dns' },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: {
        capabilities: {
          abilities: ['zones:list'],
          lacks: ['dns:read'],
          missing: ['list-dns-domain-records'],
          zonesVisible: 1,
          zones: ['example.com'],
        },
        fitsPurpose: 'yes',
      },
    },
    {
      name: 'zone-gone',
      source: 'exoscale/egoscale v3/errors.go @d767924 (form)',
      status: 404,
      body: { message: 'Not Found' },
    },
  ],
}
