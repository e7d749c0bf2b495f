import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'infomaniak',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/1/profile',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'Infomaniak/ios-core Tests/InfomaniakCoreTests/UTDecodeApiResponse.swift @b3ecef1',
      status: 200,
      body: {
        result: 'success',
        data: {
          id: 1,
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
        result: 'error',
        error: {
          code: 'not_authorized',
          description: 'Authorization required',
        },
      },
    },
    {
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: {
        result: 'error',
        error: {
          code: 'forbidden',
          description: 'Forbidden',
        },
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        result: 'error',
        error: {
          code: 'other',
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
