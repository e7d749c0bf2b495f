import type { Recording } from '../simulator/recording.ts'
import { isForm } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'cloudns',
  keyType: 'api_key',
  parts: { authId: '1234' },
  call: {
    method: 'POST',
    path: '/dns/login.json',
    headers: {},
    accepts: (sent, { apiKey, parts: { authId, subAuthId = '' } }) =>
      isForm(sent, {
        ...(authId === undefined ? { 'sub-auth-id': subAuthId } : { 'auth-id': authId }),
        'auth-password': apiKey,
      }),
  },
  answers: [
    {
      name: 'valid',
      source: 'acmesh-official/acme.sh dnsapi/dns_cloudns.sh @d60c75b',
      status: 200,
      body: { status: 'Success', statusDescription: 'Success login.' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'sub-user',
      source: 'acmesh-official/acme.sh dnsapi/dns_cloudns.sh @d60c75b',
      parts: { subAuthId: '5678' },
      status: 200,
      body: { status: 'Success', statusDescription: 'Success login.' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'refused',
      source: 'acmesh-official/acme.sh dnsapi/dns_cloudns.sh @d60c75b (several causes)',
      status: 200,
      body: { status: 'Failed', statusDescription: 'Invalid authentication, incorrect auth-id or auth-password.' },
      problem: 'provider_refused',
    },
    {
      name: 'plan-without-api',
      source: 'acmesh-official/acme.sh#6520, 2025-09-19',
      status: 200,
      body: { status: 'Failed', statusDescription: "You don't have access to the HTTP API. Check your plan." },
      problem: 'provider_refused',
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      body: { status: 'Failed', statusDescription: 'Missing domain-name' },
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
