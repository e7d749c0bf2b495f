import type { Recording } from '../simulator/recording.ts'

/** The API description of Porkbun, as generated code. */
const api = 'jianyuan/terraform-provider-porkbun internal/apiclient/apiclient.gen.go @a9941d1'

const codes = 'https://porkbun.com/api/json/v3/spec, 2026-11 (the code)'

export const recording: Recording = {
  id: 'porkbun',
  keyType: 'api_key',
  parts: { apiKeyId: 'pk1_example' },
  call: {
    method: 'GET',
    path: '/api/json/v3/ping',
    headers: { 'x-api-key': 'pk1_example', 'x-secret-api-key': '{key}' },
  },
  answers: [
    {
      name: 'valid',
      source: api,
      status: 200,
      body: { status: 'SUCCESS', yourIp: '203.0.113.7', xForwardedFor: '203.0.113.7', credentialsValid: true },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'sandbox',
      source: 'https://porkbun.com/llms/sandbox, 2026-11',
      status: 200,
      body: { status: 'SUCCESS', yourIp: '203.0.113.7', credentialsValid: true, sandbox: true },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'without-keys',
      source: `${api} (the answer if no keys arrive)`,
      status: 200,
      body: { status: 'SUCCESS', yourIp: '203.0.113.7', xForwardedFor: '203.0.113.7' },
    },
    {
      name: 'wrong',
      source: 'jeessy2/ddns-go#388',
      status: 400,
      body: { status: 'ERROR', message: 'Invalid API key. (002)' },
      verdict: { isValid: false, code: 'wrong_parts' },
    },
    {
      name: 'wrong-or-other-address',
      source: codes,
      status: 400,
      body: {
        status: 'ERROR',
        message: 'Invalid API key. (001)',
        code: 'INVALID_API_KEYS_001',
        next_action: { type: 'authenticate', url: 'https://porkbun.com/account/api' },
      },
      problem: 'provider_refused',
    },
    {
      name: 'other-address',
      source: codes,
      status: 403,
      body: { status: 'ERROR', message: 'IP not allowed.', code: 'IP_NOT_ALLOWED' },
      verdict: { isValid: true, code: 'ip_filtered' },
    },
    {
      name: 'unexplained-code',
      source: codes,
      status: 400,
      body: { status: 'ERROR', message: 'Invalid user.', code: 'INVALID_USER' },
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 400,
      body: { status: 'ERROR', message: 'Something else.' },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
