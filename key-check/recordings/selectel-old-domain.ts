import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'selectel',
  keyType: 'api_key',
  call: { method: 'GET', path: '/v1/example.org', headers: { 'x-token': '{key}' } },
  asks: { zone: 'example.org' },
  answers: [
    {
      name: 'old-domain',
      source: 'go-acme/lego providers/dns/internal/selectel/internal/fixtures/domains.json @a0e15c2',
      status: 200,
      body: { id: 123, name: 'example.org' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-old-domain',
      source:
        'go-acme/lego providers/dns/internal/selectel/internal/client.go (the status), fixtures/error.json (the form) @a0e15c2',
      status: 404,
      body: { error: 'error description', code: 404 },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: { error: 'Not found' } },
  ],
}
