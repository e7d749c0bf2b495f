import type { Recording } from '../simulator/recording.ts'
import { isSignedDnsMadeEasy } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'dnsmadeeasy',
  keyType: 'api_key',
  parts: { apiKeyId: '1c1a3c91-4770-4ce7-96f4-54c0eb0e457a' },
  call: {
    method: 'GET',
    path: '/V2.0/dns/managed/?rows=1',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedDnsMadeEasy(sent, parts.apiKeyId ?? '', apiKey),
  },
  answers: [
    {
      name: 'valid',
      source: 'octodns/octodns-dnsmadeeasy tests/fixtures @8b41a82 (with a second zone that is not in the answer)',
      status: 200,
      body: { totalPages: 2, totalRecords: 2, data: [{ id: 123123, name: 'example.com' }], page: 0 },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zonesVisible: 2, zones: ['example.com'], moreZones: true },
      },
    },
    {
      name: 'unknown',
      madeUp: 'a test double of octodns-dnsmadeeasy',
      status: 401,
      body: { error: ['API key not found'] },
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
