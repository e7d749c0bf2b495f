import type { Recording } from '../providers/recording.ts'

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
      source: `${source} (the status; the body is made up)`,
      status: 401,
      body: { detail: 'Invalid' },
    },
    { name: 'other', source: 'made up', status: 200, body: { data: [] } },
    { name: 'rate-limited', source: 'made up', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
