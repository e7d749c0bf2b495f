import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'powerdns',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/api/v1/servers/localhost/zones?dnssec=false&zone=example.org.',
    headers: { 'x-api-key': '{key}' },
  },
  asks: { zone: 'example.org' },
  answers: [
    {
      name: 'zone',
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
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: 'PowerDNS/pdns docs/http-api/openapi/authoritative-api-openapi.yaml @20096dc',
      status: 200,
      body: [],
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'other-zone',
      source: 'rmbolger/Posh-ACME#617',
      status: 403,
      body: { msg: 'Zone access not allowed' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    { name: 'other-403', madeUp: 'stands for any other answer', status: 403, body: { msg: 'No' } },
  ],
}
