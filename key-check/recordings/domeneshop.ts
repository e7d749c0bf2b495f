import type { Recording } from '../simulator/recording.ts'
import { isBasic } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'domeneshop',
  keyType: 'api_key',
  parts: { apiToken: 'DsToken' },
  call: {
    method: 'GET',
    path: '/domains',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isBasic(sent, parts.apiToken ?? '', apiKey),
  },
  answers: [
    {
      name: 'valid',
      source: 'go-acme/lego providers/dns/domeneshop/internal/fixtures/getDomains.json @a0e15c2',
      status: 200,
      body: [{ id: 1, domain: 'example.com', status: 'active', nameservers: ['ns1.hyp.net'] }],
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'refused',
      madeUp: 'no source shows the text of this refusal',
      status: 401,
      body: { message: 'Unauthorized' },
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      body: { domains: [] },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
