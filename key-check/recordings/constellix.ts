import type { Recording } from '../simulator/recording.ts'
import { isSignedConstellix } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'constellix',
  keyType: 'api_key',
  parts: { apiKeyId: '1c1a3c91-4770-4ce7-96f4-54c0eb0e457a' },
  call: {
    method: 'GET',
    path: '/v4/domains?page=1&perPage=1',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedConstellix(sent, parts.apiKeyId ?? '', apiKey),
  },
  answers: [
    {
      name: 'valid',
      source: 'digicert/dnstrust-constellix-php-sdk tests/Unit/fixtures/responses/domain/list.json @f2fde0f (page 1)',
      status: 200,
      body: {
        data: [{ id: 366246, name: 'example.com', note: 'My Domain', status: 'ACTIVE', enabled: true, version: 3 }],
        meta: { pagination: { total: 23, count: 1, perPage: 1, currentPage: 1, totalPages: 23 } },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zonesVisible: 23, zones: ['example.com'], moreZones: true },
      },
    },
    {
      name: 'version-1',
      isFollowed: true,
      madeUp: 'no source shows a rejection by version 4',
      status: 401,
      body: { errors: ['Unauthorized'] },
    },
    {
      name: 'refused',
      isFollowed: true,
      madeUp: 'no source shows a rejection by version 4',
      status: 401,
      body: { errors: ['Unauthorized'] },
    },
    { name: 'other-answer', madeUp: 'stands for any other answer', status: 404, body: { errors: ['Not found'] } },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
