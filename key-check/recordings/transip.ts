import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'transip',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v6/api-test', headers: { authorization: 'Bearer {key}' } },
  answers: [
    {
      name: 'valid',
      source: 'https://api.transip.nl/rest/docs.html#api-test, 2026-11',
      status: 200,
      body: { ping: 'pong' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'revoked',
      source: 'aequitas/terraform-provider-transip#77',
      status: 401,
      body: { error: 'Your access token has been revoked.' },
      verdict: { isValid: false, code: 'not_active' },
    },
    {
      name: 'expired',
      source: 'transip/transip-api-php src/Exception/HttpBadResponseException.php @b2cd27f',
      status: 401,
      body: { error: 'Your access token has expired.' },
      verdict: { isValid: false, code: 'expired' },
    },
    {
      name: 'filtered',
      source: 'benkonrath/python-transip#46',
      status: 401,
      body: { error: 'Remote IP is not authorized for this request; called from IP 203.0.113.7' },
      verdict: { isValid: true, code: 'ip_filtered' },
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: { error: 'Something else.' },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: { 'retry-after': '17' },
      body: {},
    },
  ],
}
