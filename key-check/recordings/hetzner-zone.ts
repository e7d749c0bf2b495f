import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/hetzner @e23b58a'

export const recording: Recording = {
  id: 'hetzner',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v1/zones/example.de', headers: { authorization: 'Bearer {key}' } },
  asks: { zone: 'example.de' },
  answers: [
    {
      name: 'zone',
      source: cassettes,
      status: 200,
      body: {
        zone: {
          id: 53_091,
          name: 'example.de',
          mode: 'primary',
          ttl: 86_400,
          labels: {},
          primary_nameservers: [],
          created: '2025-10-28T13:34:24Z',
          protection: { delete: false },
          status: 'ok',
          record_count: 8,
          registrar: 'hetzner',
        },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: cassettes,
      status: 404,
      body: { error: { code: 'not_found', message: 'Zone not found', details: null } },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'other-404',
      madeUp: 'stands for any other answer, which shows nothing',
      status: 404,
      body: { error: { code: 'unavailable' } },
    },
  ],
}
