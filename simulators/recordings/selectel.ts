import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'selectel',
  keyType: 'api_key',
  call: { method: 'GET', path: '/', headers: { 'x-token': '{key}' } },
  answers: [
    {
      name: 'valid',
      source: 'octodns/octodns-selectel octodns_selectel/v1/provider.py @651a640',
      status: 200,
      body: [{ id: 100000, name: 'example.com' }],
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'refused',
      source:
        'made up (the form is the one of go-acme/lego providers/dns/internal/selectel/internal/fixtures/error.json @a0e15c2)',
      status: 401,
      body: { error: 'unauthorized', code: 401 },
    },
    { name: 'other', source: 'made up', status: 200, body: { zones: [] } },
    { name: 'rate-limited', source: 'made up', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
