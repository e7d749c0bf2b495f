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
    ...['valid-user', 'no-accounts'].map((name) => ({
      name,
      source: 'dnsimple/dnsimple-developer fixtures/v2/api/whoami/success-user.http @13c7966',
      status: 200,
      body: { data: { user: { id: 1, email: 'example-user@example.com' }, account: null } },
      verdict: { isValid: true, code: name === 'valid-user' ? 'valid' : 'capabilities_unknown' },
    })),
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
      name: 'unpaid',
      source: 'dnsimple/dnsimple-developer content/v2.md @13c7966',
      status: 402,
      body: {
        message:
          'This action cannot be completed because you have purchase invoices that need to be paid for: 12345-1010. Please retry the payment.',
      },
      verdict: { isValid: true, code: 'account_restricted' },
    },
    {
      name: 'other-402',
      madeUp: 'represents answers that the provider file does not list',
      status: 402,
      body: { message: 'Payment Required' },
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
        'x-ratelimit-limit': '2400',
        'x-ratelimit-remaining': '0',
      },
      body: {
        message: 'quota exceeded',
      },
    },
  ],
}
