import type { Recording } from '../simulator/recording.ts'
import { isSignedExo2 } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'exoscale',
  keyType: 'api_key',
  parts: { apiKeyId: 'EXOexample' },
  call: {
    method: 'GET',
    path: '/v2/zone',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedExo2(sent, parts.apiKeyId ?? '', apiKey),
  },
  answers: [
    {
      name: 'valid',
      source: 'https://openapi-v2.exoscale.com/operation/operation-list-zones, 2026-11',
      status: 200,
      body: { zones: [{ name: 'ch-gva-2' }] },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'forbidden',
      source: 'exoscale/egoscale v2 errors.go @d767924 (several causes)',
      status: 403,
      body: { message: 'Forbidden' },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: { 'retry-after': '17' },
      body: {},
    },
  ],
}
