import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/digitalocean @e23b58a'

export const recording: Recording = {
  id: 'digitalocean',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v2/domains/example.com', headers: { authorization: 'Bearer {key}' } },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'zone',
      source: cassettes,
      status: 200,
      body: {
        domain: {
          name: 'example.com',
          ttl: 1_800,
          zone_file: '$ORIGIN example.com.\n$TTL 1800\nexample.com. 1800 IN NS ns1.digitalocean.com.\n',
        },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: cassettes,
      status: 404,
      body: { id: 'not_found', message: 'The resource you were accessing could not be found.' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'other-404',
      madeUp: 'stands for any other answer, which shows nothing',
      status: 404,
      body: { message: 'Not found' },
    },
  ],
}
