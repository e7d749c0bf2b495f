import type { Recording } from '../simulator/recording.ts'

const docs = 'https://developer.godaddy.com/doc/endpoint/domains, 2026-11'

export const recording: Recording = {
  id: 'godaddy',
  keyType: 'api_token',
  keyOf: (name) => `gd_pat_${name}`,
  call: { method: 'GET', path: '/v1/domains?limit=1', headers: { authorization: 'Bearer {key}' } },
  answers: [
    {
      name: 'valid',
      source: `${docs} (the body; the scheme is in godaddy/cli#80)`,
      status: 200,
      body: [{ domain: 'example.com', domainId: 1234567, status: 'ACTIVE' }],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zones: ['example.com'], moreZones: true } },
    },
    {
      name: 'refused',
      source: `${docs} (of a key; a token without the scope to read gets a 401 too)`,
      status: 401,
      body: { code: 'UNABLE_TO_AUTHENTICATE', message: 'Unauthorized : Could not authenticate API key/secret' },
    },
    {
      name: 'denied',
      source: 'srvrco/getssl#847 (of a key; which scope a token lacks is not said)',
      status: 403,
      body: { code: 'ACCESS_DENIED', message: 'Authenticated user is not allowed access' },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
