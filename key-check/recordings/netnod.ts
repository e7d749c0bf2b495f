import type { Recording } from '../simulator/recording.ts'

const source = 'go-acme/lego providers/dns/netnod/internal/Netnod-Primary-DNS-API.md @a0e15c2'

export const recording: Recording = {
  id: 'netnod',
  keyType: 'api_token',
  call: { method: 'GET', path: '/api/v1/zones?limit=1', headers: { authorization: 'Token {key}' } },
  answers: [
    {
      name: 'valid',
      source,
      status: 200,
      body: {
        data: [{ id: 'example.com.', name: 'example.com.', notified_serial: 2025110401 }],
        offset: 0,
        limit: 1,
        total: 2,
      },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'no-zones',
      source,
      status: 200,
      body: { data: [], offset: 0, limit: 1, total: 0 },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'refused',
      madeUp: `the status is from ${source}, the body stands for any`,
      status: 401,
      body: { detail: 'Invalid' },
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      body: { data: [] },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
