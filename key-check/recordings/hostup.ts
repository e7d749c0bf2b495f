import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'hostup',
  keyType: 'api_key',
  call: { method: 'GET', path: '/dns-zones?limit=1', headers: { authorization: 'Bearer {key}' } },
  answers: [
    {
      name: 'valid',
      source: 'go-acme/lego providers/dns/hostup/internal/fixtures/zones.json @a0e15c2',
      status: 200,
      body: {
        data: [{ id: 'zone_01', name: 'example.com', zoneStatus: 'active', isDnsOnly: false, kind: 'linked' }],
        hasMore: false,
        nextCursor: null,
      },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'refused',
      madeUp: 'the form is the one of go-acme/lego providers/dns/hostup/internal/fixtures/error.json @a0e15c2',
      status: 401,
      body: { title: 'Unauthorized', status: 401, detail: 'Unauthorized', code: 'unauthorized' },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
