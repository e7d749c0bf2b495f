import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'hostinger',
  keyType: 'api_token',
  call: { method: 'GET', path: '/api/dns/v1/zones/mydomain.example', headers: { authorization: 'Bearer {key}' } },
  asks: { zone: 'mydomain.example' },
  answers: [
    {
      name: 'zone',
      source: 'hostinger/api openapi.json @3859515',
      status: 200,
      body: [
        {
          name: 'www',
          records: [{ content: 'mydomain.example.', is_disabled: false }],
          ttl: 14400,
          type: 'A',
        },
      ],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['dns:read'] }, fitsPurpose: 'yes' },
    },
    { name: 'no-records', madeUp: 'no source says what an empty list means', status: 200, body: [] },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: { message: 'Not found' } },
  ],
}
