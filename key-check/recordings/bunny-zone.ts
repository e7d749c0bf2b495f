import type { Recording } from '../simulator/recording.ts'

const log = 'sipico/bunny-api-proxy .claude/dev/issues/225/full-proxy.log @20f4f05'

const zone = {
  Id: 700001,
  Domain: 'example.xyz',
  Records: [],
  DateModified: '2026-02-06T09:27:36',
  DateCreated: '2026-02-06T09:27:36',
  NameserversDetected: true,
  CustomNameserversEnabled: false,
  Nameserver1: 'kiki.bunny.net',
  Nameserver2: 'coco.bunny.net',
  SoaEmail: 'hostmaster@bunny.net',
}

export const recording: Recording = {
  id: 'bunny',
  keyType: 'api_key',
  call: { method: 'GET', path: '/dnszone?page=1&perPage=5&search=example.xyz', headers: { accesskey: '{key}' } },
  asks: { zone: 'example.xyz' },
  answers: [
    {
      name: 'zone',
      source: `${log} (without a search)`,
      status: 200,
      body: { Items: [zone], CurrentPage: 1, TotalItems: 1, HasMoreItems: false },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: `${log} (without a search)`,
      status: 200,
      body: { Items: [], CurrentPage: 1, TotalItems: 0, HasMoreItems: false },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    { name: 'other', madeUp: 'stands for any other answer', status: 200, body: { Items: [{}] } },
  ],
}
