import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'luadns',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/v1/users/me',
    headers: {
      authorization: 'Basic {email:key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'luadns/luadns-ruby test/fixtures/http/users/me.show @4b3227f',
      status: 200,
      body: {
        id: 1,
        email: 'user@example.com',
        name: 'Example',
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      source: 'luadns/luadns-ruby test/fixtures/http/users/me.show:err-bad-key @4b3227f',
      status: 401,
      body: {
        status: 'Unauthorized',
        request_id: 'apollo.local/HkBjqPZiyD-000046',
        message: 'Invalid API Key',
      },
      verdict: {
        isValid: false,
        code: 'wrong_pair',
      },
    },
    {
      name: 'forbidden',
      source: 'luadns/luadns-ruby test/fixtures/http/users/me.show:err-bad-accept @4b3227f',
      status: 403,
      body: {
        status: 'Forbidden',
        request_id: 'apollo.local/XC6HOv2rGV-000007',
        message: "Invalid 'Accept' header",
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        status: 'Unauthorized',
      },
    },
    {
      name: 'rate-limited',
      source: 'luadns/luadns-ruby test/fixtures/http/users/me.show:err-too-many @4b3227f',
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
