import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'namecom',
  keyType: 'api_key',
  parts: { username: 'example' },
  call: {
    method: 'GET',
    path: '/v4/hello',
    headers: {},
    accepts: ({ headers }, { apiKey, parts }) =>
      headers.authorization === `Basic ${Buffer.from(`${parts.username}:${apiKey}`).toString('base64')}`,
  },
  answers: [
    {
      name: 'valid',
      source: 'https://www.name.com/api-docs/hello, 2026-11',
      status: 200,
      body: { serverName: 'ae1.name.com', motd: 'Hello', username: 'example', serverTime: '2026-10-01T12:00:00Z' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'denied',
      madeUp: 'logged at the test host only',
      status: 403,
      body: { message: 'Permission Denied' },
    },
    {
      name: 'unauthenticated',
      madeUp: 'logged without a credential only',
      status: 401,
      body: { message: 'Unauthenticated' },
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
