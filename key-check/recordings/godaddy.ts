import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'godaddy',
  keyType: 'api_key',
  parts: { apiKeyId: 'dLf3TfeWKbPp' },
  call: {
    method: 'GET',
    path: '/v1/domains?limit=1',
    headers: { authorization: 'sso-key dLf3TfeWKbPp:{key}' },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://developer.godaddy.com/doc/endpoint/domains, 2026-11',
      status: 200,
      body: [{ domain: 'example.com', domainId: 1234567, status: 'ACTIVE' }],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zones: ['example.com'], moreZones: true } },
    },
    {
      name: 'wrong',
      source: 'https://developer.godaddy.com/doc/endpoint/domains, 2026-11',
      status: 401,
      body: { code: 'UNABLE_TO_AUTHENTICATE', message: 'Unauthorized : Could not authenticate API key/secret' },
      verdict: { isValid: false, code: 'wrong_parts' },
    },
    {
      name: 'not-entitled',
      source: 'srvrco/getssl#847 and rmbolger/Posh-ACME#547',
      status: 403,
      body: { code: 'ACCESS_DENIED', message: 'Authenticated user is not allowed access' },
      verdict: { isValid: true, code: 'account_not_entitled' },
    },
    {
      name: 'malformed',
      madeUp: 'the code is in clients',
      status: 401,
      body: { code: 'MALFORMED_CREDENTIALS', message: 'Unauthorized : Malformed credentials' },
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
