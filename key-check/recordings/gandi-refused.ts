import type { Recording } from '../simulator/recording.ts'

/** The call after a rejection in `gandi.ts`, with the same keys. */
export const recording: Recording = {
  id: 'gandi',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v5/livedns/domains?per_page=1',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'invalid',
      source: 'octodns/octodns-gandi tests/test_octodns_provider_gandi.py @716be2f',
      status: 401,
      body: {
        code: 401,
        message:
          'The server could not verify that you authorized to access the document you requested. Either you supplied the wrong credentials (e.g., bad api key), or your access token has expired',
        object: 'HTTPUnauthorized',
        cause: 'Unauthorized',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'ambiguous',
      source: 'octodns/octodns-gandi tests/test_octodns_provider_gandi.py @716be2f',
      status: 403,
      body: {
        code: 403,
        message: 'Access was denied to this resource.',
        object: 'HTTPForbidden',
        cause: 'Forbidden',
      },
    },
  ],
}
