import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'linode',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v4/profile',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        username: 'exampleUser',
        email: 'example-user@gmail.com',
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
        errors: [
          {
            reason: 'Invalid Token',
          },
        ],
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'limited',
      status: 401,
      headers: {
        'x-oauth-scopes': 'domains:read_only',
        'x-accepted-oauth-scopes': 'account:read_only',
      },
      body: {
        errors: [
          {
            reason: 'Your OAuth token is not authorized to use this endpoint.',
          },
        ],
      },
      verdict: {
        isValid: true,
        code: 'limited_permissions',
      },
    },
    {
      name: 'limited-403',
      status: 403,
      body: {
        errors: [
          {
            reason: 'Your OAuth token is not authorized to use this endpoint.',
          },
        ],
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
        errors: [
          {
            reason: 'Invalid OAuth Client',
          },
        ],
      },
    },
    {
      name: 'rate-limited',
      status: 429,
      headers: {
        'retry-after': '17',
      },
      body: {
        errors: [
          {
            reason: 'Too many requests',
          },
        ],
      },
    },
  ],
}
