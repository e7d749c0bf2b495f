import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'gandi',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/v5/livedns/domains?per_page=1',
    headers: {
      authorization: 'Apikey {key}',
    },
  },
  answers: [
    {
      name: 'legacy-valid',
      source: 'octodns/octodns-gandi tests/fixtures/gandi-domains-1.json @716be2f',
      status: 200,
      body: [
        {
          fqdn: 'example.com',
        },
      ],
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'legacy-valid-empty',
      source: 'octodns/octodns-gandi tests/fixtures/gandi-domains-1.json @716be2f (no domain)',
      status: 200,
      body: [],
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'legacy-invalid',
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
      name: 'legacy-unseen',
      source: 'go-acme/lego#2768, 2025-12-23 (the status and the message), for a good key',
      status: 401,
      body: {
        code: 401,
        message: 'You must provide an access token or an API Key. See https://api.gandi.net/docs/authentication/',
        object: 'HTTPUnauthorized',
        cause: 'Unauthorized',
      },
    },
    {
      name: 'legacy-ambiguous',
      source: 'octodns/octodns-gandi tests/test_octodns_provider_gandi.py @716be2f',
      status: 403,
      body: {
        code: 403,
        message: 'Access was denied to this resource.',
        object: 'HTTPForbidden',
        cause: 'Forbidden',
      },
    },
    {
      name: 'legacy-rate-limited',
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
