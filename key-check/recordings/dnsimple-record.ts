import type { Recording } from '../simulator/recording.ts'

/** One record of the zone that the check is for. */
export const recording: Recording = {
  id: 'dnsimple',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v2/1/zones/example.com/records?per_page=1',
    headers: { authorization: 'Bearer {key}' },
  },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'zone',
      source: 'dnsimple/dnsimple-developer fixtures/v2/api/listZoneRecords/success.http @a1e9b86',
      status: 200,
      body: {
        data: [
          {
            id: 1,
            zone_id: 'example.com',
            name: '',
            content: 'ns1.dnsimple.com admin.dnsimple.com 1458642070 86400 7200 604800 300',
            ttl: 3600,
            type: 'SOA',
            system_record: true,
          },
        ],
        pagination: { current_page: 1, per_page: 1, total_entries: 5, total_pages: 5 },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['dns:read'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: 'dnsimple/dnsimple-developer fixtures/v2/api/notfound-zone.http @59eacf9',
      status: 404,
      body: { message: 'Zone `example.com` not found' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'zone-out-of-scope',
      source: 'dnsimple/dnsimple-developer content/v2.md @13c7966 and go-acme/lego#2466 (the form)',
      status: 403,
      body: { message: 'Permission Denied. Required Scope: zones:example.com:read' },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: { capabilities: { lacks: ['dns:read'], missing: ['Zones: Read only'] }, fitsPurpose: 'unknown' },
    },
    {
      name: 'other-404',
      source: 'dnsimple/dnsimple-developer content/v2.md @13c7966',
      status: 404,
      body: { message: 'Not Found' },
    },
  ],
}
