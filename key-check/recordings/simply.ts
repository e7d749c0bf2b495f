import type { Recording } from '../simulator/recording.ts'
import { isBasic } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'simply',
  keyType: 'api_key',
  parts: { accountName: 'UE123456' },
  call: {
    method: 'GET',
    path: '/my/products/',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isBasic(sent, parts.accountName ?? '', apiKey),
  },
  answers: [
    {
      name: 'valid',
      source: 'JohNan/certbot-dns-simply certbot_dns_simply/dns_simply_test.py @237cdda',
      status: 200,
      body: { products: [{ object: 'example.com', name: 'example.com', autorenew: 'true', cancelled: 'false' }] },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'wrong',
      source:
        'go-acme/lego providers/dns/simply/internal/fixtures/bad_auth_error.json @a0e15c2, acmesh-official/acme.sh dnsapi/dns_simply.sh @d60c75b',
      status: 400,
      body: { error: 'Invalid account authorization' },
      verdict: { isValid: false, code: 'wrong_parts' },
    },
    {
      name: 'wrong-401',
      source:
        'go-acme/lego providers/dns/simply/internal/fixtures/bad_auth_error.json @a0e15c2, acmesh-official/acme.sh dnsapi/dns_simply.sh @d60c75b',
      status: 401,
      body: { error: 'Invalid account authorization' },
      verdict: { isValid: false, code: 'wrong_parts' },
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: { error: 'Too many attempts' },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
