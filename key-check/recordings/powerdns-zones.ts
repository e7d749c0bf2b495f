import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'powerdns',
  keyType: 'api_key',
  call: { method: 'GET', path: '/api/v1/servers/localhost/zones?dnssec=false', headers: { 'x-api-key': '{key}' } },
  asks: {},
  answers: [
    {
      name: 'zones',
      source: 'https://doc.powerdns.com/authoritative/http-api/zone.html, 2026-11',
      status: 200,
      body: [
        {
          account: '',
          dnssec: false,
          edited_serial: 2022040504,
          id: 'example.org.',
          kind: 'Native',
          last_check: 0,
          masters: [],
          name: 'example.org.',
          notified_serial: 0,
          serial: 2022040504,
          url: '/api/v1/servers/localhost/zones/example.org.',
        },
      ],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.org'] } },
    },
    { name: 'other-403', madeUp: 'stands for any other answer', status: 403, body: { msg: 'No' } },
  ],
}
