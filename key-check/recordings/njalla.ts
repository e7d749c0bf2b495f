import type { Recording } from '../simulator/recording.ts'

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
      source: 'Sighery/gonjalla domains.go @d9efd8a (no domain)',
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
      source: 'go-acme/lego providers/dns/njalla/internal/types.go @a0e15c2 (the text of auth_error.json beside it)',
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
      source: 'go-acme/lego providers/dns/njalla/internal/fixtures/auth_error.json @a0e15c2',
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
      madeUp: 'represents answers that the provider file does not list',
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
