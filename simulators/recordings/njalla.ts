import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'njalla',
  keyType: 'api_token',
  call: {
    method: 'POST',
    path: '/api/1/',
    headers: {
      authorization: 'Njalla {key}',
    },
    body: {
      jsonrpc: '2.0',
      method: 'list-domains',
      params: {},
      id: '1',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: '1',
        result: {
          domains: [],
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      status: 200,
      body: {
        jsonrpc: '2.0',
        error: {
          code: 403,
          message: 'Invalid token.',
        },
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'invalid-capital',
      status: 200,
      body: {
        jsonrpc: '2.0',
        Error: {
          code: 403,
          message: 'Invalid token.',
        },
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'other-error',
      status: 200,
      body: {
        jsonrpc: '2.0',
        error: {
          code: 500,
          message: 'Internal error',
        },
      },
    },
    {
      name: 'rate-limited',
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
