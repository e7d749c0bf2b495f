import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'mittwald',
  keyType: 'api_token',
  call: { method: 'GET', path: '/users/self', headers: { authorization: 'Bearer {key}' } },
  answers: [
    {
      name: 'valid',
      source: 'https://developer.mittwald.de/docs/v2/reference/user/user-get-user/, 2026-11',
      status: 200,
      body: { userId: '0f452bff-81b5-496f-957f-000000000000', email: 'user@example.com' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'refused',
      madeUp: 'the form is the one of go-acme/lego providers/dns/mittwald/internal/fixtures/error.json @a0e15c2',
      status: 403,
      body: { type: 'PermissionDenied', message: 'permission denied' },
    },
    { name: 'other', madeUp: 'represents answers that the provider file does not list', status: 200, body: { id: 1 } },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
