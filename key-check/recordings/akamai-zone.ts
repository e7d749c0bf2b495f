import type { Recording } from '../simulator/recording.ts'
import { isSignedEdgeGrid } from '../simulator/signatures.ts'

const openApi = 'akamai/akamai-apis apis/config-dns/v2/openapi.json @21f102c'

function metadata(totalElements: number) {
  return { page: 1, pageSize: 25, showAll: false, totalElements, contractIds: ['1-2ABCDE'] }
}

function zone(name: string) {
  return { contractId: '1-2ABCDE', zone: name, type: 'PRIMARY', activationState: 'ACTIVE' }
}

export const recording: Recording = {
  id: 'akamai',
  keyType: 'api_key',
  parts: { clientToken: 'akab-client', accessToken: 'akab-access', host: 'akab-host.luna.akamaiapis.net' },
  call: {
    method: 'GET',
    path: '/config-dns/v2/zones?page=1&pageSize=25&search=example.net',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedEdgeGrid(sent, apiKey, parts),
  },
  asks: { zone: 'example.net' },
  answers: [
    {
      name: 'zone',
      source: `${openApi} (the members)`,
      status: 200,
      body: { metadata: metadata(2), zones: [zone('sub.example.net'), zone('example.net')] },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: `${openApi} (the members)`,
      status: 200,
      body: { metadata: metadata(0), zones: [] },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'cut-off',
      source: `${openApi} (the members)`,
      status: 200,
      body: { metadata: metadata(26), zones: [zone('sub.example.net')] },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'unknown' },
    },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: { type: 'about:blank' } },
  ],
}
