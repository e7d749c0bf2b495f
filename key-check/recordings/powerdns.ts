import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'powerdns',
  keyType: 'api_key',
  call: { method: 'GET', path: '/api/v1/servers/localhost', headers: { 'x-api-key': '{key}' } },
  answers: [
    {
      name: 'valid',
      source: 'https://doc.powerdns.com/authoritative/http-api/server.html, 2026-11',
      status: 200,
      body: {
        type: 'Server',
        id: 'localhost',
        daemon_type: 'authoritative',
        version: '4.9.0',
        url: '/api/v1/servers/localhost',
      },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'wrong',
      source: 'PowerDNS/pdns pdns/webserver.cc and pdns/webserver.hh @20096dc',
      status: 401,
      headers: { 'www-authenticate': 'X-API-Key realm="PowerDNS"' },
      body: { error: 'Unauthorized' },
      verdict: { isValid: false, code: 'not_recognised' },
    },
    {
      name: 'proxy',
      madeUp: 'no source shows the text of this refusal',
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="Internal"' },
      body: { error: 'Unauthorized' },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
