import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'selectel',
  keyType: 'api_key',
  call: { method: 'GET', path: '/v1/?limit=1&offset=0', headers: { 'x-token': '{key}' } },
  answers: [
    {
      name: 'valid',
      source: 'octodns/octodns-selectel octodns_selectel/v1/provider.py @57e1f69',
      status: 200,
      headers: { 'x-total-count': '3' },
      body: [{ id: 100000, name: 'example.com' }],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'] } },
    },
    {
      name: 'refused',
      madeUp:
        'the form is the one of go-acme/lego providers/dns/internal/selectel/internal/fixtures/error.json @a0e15c2',
      status: 401,
      body: { error: 'unauthorized', code: 401 },
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      body: { zones: [] },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
