import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'infomaniak',
  keyType: 'api_token',
  call: { method: 'GET', path: '/2/zones/example.ch/exists', headers: { authorization: 'Bearer {key}' } },
  asks: { zone: 'example.ch' },
  answers: [
    {
      name: 'zone',
      source: 'go-acme/lego providers/dns/infomaniak/internal/fixtures/zone_exists.json @a0e15c2',
      status: 200,
      body: { result: 'success', data: true },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: 'go-acme/lego providers/dns/infomaniak/internal/fixtures/zone_exists_not.json @a0e15c2',
      status: 404,
      body: {
        result: 'error',
        error: {
          code: 'object_not_found',
          description: 'Object not found',
          context: { model: 'DelegatedSubDomain' },
        },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'other-404',
      madeUp: 'stands for any other answer',
      status: 404,
      body: { result: 'error', error: { code: 'other' } },
    },
  ],
}
