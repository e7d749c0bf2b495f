import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'desec',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/auth/account/',
    headers: {
      authorization: 'Token {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        created: '2019-10-16T18:09:17.715702Z',
        domains_under_management: 3,
        email: 'youremailaddress@example.com',
        id: '9ab16e5c-805d-4ab1-9030-af3f5a541d47',
        limit_domains: 15,
        outreach_preference: true,
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      status: 401,
      body: {
        detail: 'Invalid token.',
      },
      verdict: {
        isValid: false,
        code: 'not_accepted_from_here',
      },
    },
    {
      name: 'limited',
      status: 403,
      body: {
        detail: 'You do not have permission to perform this action.',
      },
      verdict: {
        isValid: true,
        code: 'limited_permissions',
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {
        detail: 'Authentication credentials were not provided.',
      },
    },
    {
      name: 'rate-limited',
      status: 429,
      headers: {
        'retry-after': '17',
      },
      body: {
        detail: 'Request was throttled. Expected available in 17 seconds.',
      },
    },
  ],
}
