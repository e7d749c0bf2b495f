import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'ultradns',
  keyType: 'api_key',
  parts: { username: 'api-user' },
  call: { method: 'GET', path: '/v3/zones?limit=20', headers: { authorization: 'Bearer {token}' } },
  asks: {},
  answers: [
    {
      name: 'zones',
      source: 'octodns/octodns-ultra tests/fixtures/ultra-zones-page-1.json @13604a2 (with one zone)',
      status: 200,
      body: {
        queryInfo: { q: 'zone_type:PRIMARY', sort: 'NAME', reverse: false, limit: 10 },
        cursorInfo: { next: 'b2N0b2RuczE4LnRlc3QuOk5FWFQK', last: 'fjpMQVNU' },
        zones: [{ properties: { name: 'octodns1.test.', type: 'PRIMARY', dnssecStatus: 'UNSIGNED' } }],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zones: ['octodns1.test'], moreZones: true } },
    },
    {
      name: 'no-zones',
      source: 'octodns/octodns-ultra octodns_ultra/__init__.py @dadd916',
      status: 404,
      body: [{ errorCode: 70002, errorMessage: 'Data not found.' }],
      verdict: { isValid: true, code: 'no_zones' },
    },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: [{ errorCode: 1 }] },
  ],
}
