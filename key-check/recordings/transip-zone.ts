import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/transip @e23b58a'

export const recording: Recording = {
  id: 'transip',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v6/domains/example.nl', headers: { authorization: 'Bearer {key}' } },
  asks: { zone: 'example.nl' },
  answers: [
    {
      name: 'zone',
      source: cassettes,
      status: 200,
      body: {
        domain: {
          name: 'example.nl',
          authCode: 'AUTH_CODE',
          isTransferLocked: false,
          registrationDate: '2020-01-05',
          renewalDate: '2023-01-05',
          isWhitelabel: false,
          isDnsOnly: false,
          cancellationDate: '',
          cancellationStatus: '',
          hasActionRunning: false,
          supportsLocking: false,
          tags: [],
          hasAutoDns: false,
        },
        _links: [],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['dns:read'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: `${cassettes} (of another name)`,
      status: 404,
      body: { error: "Domain with name 'example.nl' not found" },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: { error: 'Not found' } },
  ],
}
