import type { Recording } from '../simulator/recording.ts'
import { isSignedConstellix } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'constellix',
  keyType: 'api_key',
  parts: { apiKeyId: '1c1a3c91-4770-4ce7-96f4-54c0eb0e457a' },
  call: {
    method: 'GET',
    path: '/v4/search/domains?name=example.org&page=1&perPage=20',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedConstellix(sent, parts.apiKeyId ?? '', apiKey),
  },
  asks: { zone: 'example.org' },
  answers: [
    {
      name: 'zone',
      source: 'digicert/dnstrust-constellix-php-sdk tests/Unit/fixtures/responses/domain/search.json @f2fde0f',
      status: 200,
      body: {
        data: [
          { id: 366246, name: 'example.org', links: { domain: 'https://api.dns.constellix.com/v4/domains/366246' } },
        ],
        meta: { pagination: { total: 1, count: 1, perPage: 20, currentPage: 1, totalPages: 1 } },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source:
        'digicert/dnstrust-constellix-python-sdk constellixsdk/api/domains.py @feb85e1 (an empty list is no domain)',
      status: 200,
      body: { data: [], meta: { pagination: { total: 0, count: 0, perPage: 20, currentPage: 1, totalPages: 0 } } },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'other-zones',
      madeUp: 'no source says that the search finds exact names only',
      status: 200,
      body: {
        data: [{ id: 366247, name: 'www.example.org' }],
        meta: { pagination: { total: 1, count: 1, perPage: 20, currentPage: 1, totalPages: 1 } },
      },
    },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: { errors: ['Not found'] } },
  ],
}
