import type { Recording } from '../simulator/recording.ts'
import { isSignedEdgeGrid } from '../simulator/signatures.ts'

function problem(name: string, title: string, status: number, detail: string) {
  return {
    type: `https://problems.luna.akamaiapis.net/-/${name}`,
    title,
    status,
    detail,
    instance: 'https://akab-host.luna.akamaiapis.net/config-dns/v2/zones?pageSize=1&showAll=false',
    method: 'GET',
    requestId: '46fceae2',
  }
}

export const recording: Recording = {
  id: 'akamai',
  keyType: 'api_key',
  parts: { clientToken: 'akab-client', accessToken: 'akab-access', host: 'akab-host.luna.akamaiapis.net' },
  call: {
    method: 'GET',
    path: '/config-dns/v2/zones?pageSize=1&showAll=false',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedEdgeGrid(sent, apiKey, parts),
  },
  answers: [
    {
      name: 'valid',
      source: 'akamai/AkamaiOPEN-edgegrid-golang pkg/dns/zone_test.go @05e4854',
      status: 200,
      body: {
        metadata: { page: 1, pageSize: 1, showAll: false, totalElements: 17, contractIds: ['1-2ABCDE'] },
        zones: [{ contractId: '1-2ABCDE', zone: 'example.com', type: 'primary', activationState: 'ACTIVE' }],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zonesVisible: 17, zones: ['example.com'], moreZones: true },
      },
    },
    {
      name: 'wrong-secret',
      source: 'akamai/AkamaiOPEN-edgegrid-powershell#10',
      status: 401,
      body: problem('pep-authn/deny', 'Not authorized', 401, 'The signature does not match'),
      verdict: { isValid: false, code: 'wrong_part' },
    },
    {
      name: 'unknown-client',
      source: 'https://techdocs.akamai.com/iam-api/reference/401, 2026-11; akamai/AkamaiOPEN-edgegrid-ruby#14',
      status: 401,
      body: problem('pep-authn/deny', 'Not authorized', 401, 'Inactive client token'),
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'clock',
      source: 'akamai/AkamaiOPEN-edgegrid-node#234, akamai/edgegrid-curl#4',
      status: 400,
      body: problem('pep-authn/request-error', 'Bad request', 400, 'Invalid timestamp'),
      problem: 'provider_clock_refused',
    },
    {
      name: 'limited',
      source: 'akamai/cli-cps#73, akamai/AkamaiOPEN-edgegrid-golang pkg/edgeworkers tests @05e4854',
      status: 403,
      body: problem('pep-authz/deny', 'Forbidden', 403, 'The client does not have the grant needed for the request'),
      verdict: { isValid: true, code: 'ability_missing' },
      shows: { capabilities: { lacks: ['zones:list'], missing: ['DNS—Zone Record Management'] } },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: problem('pep-authn/deny', 'Not authorized', 401, 'Something else'),
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
