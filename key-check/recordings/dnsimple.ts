import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'dnsimple',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v2/whoami',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'dnsimple/dnsimple-developer fixtures/v2/api/whoami/success-account.http @13c7966',
      status: 200,
      body: {
        data: {
          user: null,
          account: {
            id: 1,
            email: 'example-account@example.com',
          },
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'valid-user',
      source: 'dnsimple/dnsimple-developer fixtures/v2/api/whoami/success-user.http @13c7966',
      status: 200,
      body: {
        data: {
          user: {
            id: 1,
            email: 'example-user@example.com',
          },
          account: null,
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      source: 'dnsimple/dnsimple-developer content/v2.md @13c7966',
      status: 401,
      body: {
        message: 'Authentication failed',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'limited',
      source: 'dnsimple/dnsimple-developer content/v2.md @13c7966',
      status: 403,
      body: {
        message: 'Permission Denied. Required Scope: domains:*:read',
      },
      verdict: {
        isValid: true,
        code: 'limited_permissions',
      },
    },
    {
      name: 'no-account-and-no-user',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      body: {
        data: {
          user: null,
          account: null,
        },
      },
    },
    {
      name: 'rate-limited',
      source: 'dnsimple/dnsimple-developer content/v2.md @13c7966',
      status: 429,
      headers: {
        'retry-after': '17',
        'x-ratelimit-remaining': '0',
      },
      body: {
        message: 'quota exceeded',
      },
    },
  ],
}
