import type { Recording } from '../simulator/recording.ts'

const source = 'go-acme/lego providers/dns/dnscale/internal/fixtures/list_zones.json @a0e15c2'

export const recording: Recording = {
  id: 'dnscale',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v1/zones?limit=1', headers: { authorization: 'Bearer {key}' } },
  answers: [
    {
      name: 'valid',
      source,
      status: 200,
      body: {
        status: 'success',
        data: { items: [{ id: 'zone_abc123', name: 'example.com', status: 'active' }], total: 2, limit: 1, offset: 0 },
      },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'refused',
      madeUp: 'no source shows the text of this refusal',
      status: 401,
      body: { status: 'error', error: { code: 'UNAUTHORIZED' } },
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      body: { status: 'success', data: {} },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
