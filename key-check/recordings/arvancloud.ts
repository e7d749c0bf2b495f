import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'arvancloud',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/cdn/4.0/domains?per_page=1',
    headers: {
      authorization: 'Apikey {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'arvancloud/cdn-go model_domains_index_200_response.go @bb0139f',
      status: 200,
      body: {
        data: [],
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
        message: 'Unauthenticated.',
      },
    },
    {
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: {
        message: 'This action is unauthorized.',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {},
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
