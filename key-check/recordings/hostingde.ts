import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'hostingde',
  keyType: 'api_key',
  call: {
    method: 'POST',
    path: '/api/dns/v1/json/zoneConfigsFind',
    headers: { 'content-type': 'application/json' },
    body: { authToken: '{key}', limit: 1, page: 1 },
  },
  answers: [
    {
      name: 'valid',
      source: 'go-acme/lego providers/dns/internal/hostingde/internal/fixtures/zoneConfigsFind.json @a0e15c2',
      status: 200,
      body: {
        metadata: { clientTransactionId: '', serverTransactionId: '20261101120000000-api' },
        warnings: [],
        status: 'success',
        response: { limit: 1, page: 1, totalEntries: 0, totalPages: 1, type: 'FindZoneConfigsResult', data: [] },
      },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'unknown',
      source:
        'acmesh-official/acme.sh dnsapi/dns_hostingde.sh @d60c75b (code and meaning), form of go-acme/lego zoneConfigsFind_error.json @a0e15c2',
      status: 200,
      body: {
        errors: [{ code: 10109, contextObject: '', contextPath: '', details: [], text: '', value: '' }],
        metadata: { clientTransactionId: '', serverTransactionId: '20261101120000000-api' },
        warnings: [],
        status: 'error',
      },
      verdict: { isValid: false, code: 'not_recognised' },
    },
    {
      name: 'other-error',
      source: 'go-acme/lego providers/dns/internal/hostingde/internal/fixtures/zoneConfigsFind_error.json @a0e15c2',
      status: 200,
      body: {
        errors: [{ code: 123, contextObject: 'o', contextPath: 'p', details: [], text: 't', value: 'v' }],
        warnings: [],
        status: 'error',
      },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
