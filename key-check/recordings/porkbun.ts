import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'porkbun',
  keyType: 'api_key',
  parts: { apiKeyId: 'pk1_example' },
  call: {
    method: 'POST',
    path: '/api/json/v3/ping',
    headers: { 'content-type': 'application/json' },
    body: { apikey: 'pk1_example', secretapikey: '{key}' },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://porkbun.com/api/json/v3/documentation#Authentication, 2026-11',
      status: 200,
      body: { status: 'SUCCESS', yourIp: '203.0.113.7' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'wrong',
      source: 'jeessy2/ddns-go#388',
      status: 400,
      body: { status: 'ERROR', message: 'Invalid API key. (002)' },
      verdict: { isValid: false, code: 'wrong_parts' },
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 400,
      body: { status: 'ERROR', message: 'Something else.' },
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
