import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'binarylane',
  keyType: 'api_token',
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
      source: 'binarylane/binarylane-cli lib/binarylane/api/accounts/get_v2_account.py @840df1a',
      status: 200,
      body: {
        account: {
          email: 'person@example.com',
          status: 'active',
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'refused',
      madeUp: 'no source shows the text of this refusal',
      status: 401,
      body: {
        type: 'https://tools.ietf.org/html/rfc7235#section-3.1',
        title: 'Unauthorized',
        status: 401,
        detail: 'no',
      },
    },
    {
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: {
        type: 'about:blank',
        title: 'Forbidden',
        status: 403,
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        title: 'Unauthorized',
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
        message: 'Too many requests',
      },
    },
  ],
}
