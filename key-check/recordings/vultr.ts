import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'vultr',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/v2/account',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'vultr/govultr account_test.go @9ee451b',
      status: 200,
      body: {
        account: {
          name: 'Example',
          email: 'admin@example.com',
          acls: ['dns'],
          balance: 0,
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      source: 'apache/libcloud libcloud/test/compute/test_vultr_v2.py @55e64e1',
      status: 401,
      body: {
        error: 'Invalid API token.',
        status: 401,
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'filtered',
      source: 'https://github.com/vultr/terraform-provider-vultr/issues/375, 2023-07-06',
      status: 401,
      body: {
        error: 'Unauthorized IP address: 203.0.113.9',
        status: 401,
      },
      verdict: {
        isValid: true,
        code: 'ip_filtered',
      },
    },
    {
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: {
        error: 'Forbidden',
        status: 403,
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        error: 'Try again',
        status: 401,
      },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: {
        'retry-after': '17',
      },
      body: {
        error: 'Rate limit reached',
        status: 429,
      },
    },
  ],
}
