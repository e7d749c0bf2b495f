import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'selectel',
  keyType: 'api_key',
  call: { method: 'GET', path: '/v1/?limit=20&offset=0', headers: { 'x-token': '{key}' } },
  asks: {},
  answers: [
    {
      name: 'old-domains',
      source: 'octodns/octodns-selectel octodns_selectel/v1/provider.py @57e1f69',
      status: 200,
      headers: { 'x-total-count': '2' },
      body: [
        { id: 100000, name: 'example.com' },
        { id: 100001, name: 'example.org' },
      ],
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zonesVisible: 2, zones: ['example.com', 'example.org'] },
      },
    },
    {
      name: 'without-total',
      source: 'octodns/octodns-selectel octodns_selectel/v1/provider.py @57e1f69 (without the header)',
      status: 200,
      body: [{ id: 100000, name: 'example.com' }],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.com'] } },
    },
    {
      name: 'no-old-domains',
      source: 'octodns/octodns-selectel octodns_selectel/v1/provider.py @57e1f69 (no domain)',
      status: 200,
      headers: { 'x-total-count': '0' },
      body: [],
      verdict: { isValid: true, code: 'no_zones' },
    },
  ],
}
