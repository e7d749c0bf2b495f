import { serviceAccountFile } from '../simulator/googlecloud.ts'
import type { Recording } from '../simulator/recording.ts'

const list =
  'dns-lexicon/dns-lexicon tests/fixtures/cassettes/googleclouddns @e23b58a (only the fields that are asked for)'

export const recording: Recording = {
  id: 'googlecloud',
  keyType: 'api_key',
  keyOf: serviceAccountFile,
  call: {
    method: 'GET',
    path: '/@dns/dns/v1/projects/named-archway-000000/managedZones?maxResults=20&dnsName=example.tk.&fields=kind,nextPageToken,managedZones(dnsName)',
    headers: { authorization: 'Bearer ya29.{token}' },
  },
  asks: { zone: 'example.tk' },
  answers: [
    {
      name: 'valid',
      source: list,
      isFollowed: true,
      status: 200,
      body: { kind: 'dns#managedZonesListResponse', managedZones: [{ dnsName: 'example.tk.' }] },
    },
    {
      name: 'other-project',
      source: `${list}, without a zone`,
      status: 200,
      body: { kind: 'dns#managedZonesListResponse' },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'] }, fitsPurpose: 'no' },
    },
    {
      name: 'role-on-zone-only',
      source: 'kubernetes-sigs/external-dns#909 and hashicorp/terraform-provider-google#9468 (the body)',
      status: 403,
      body: { error: { code: 403, message: 'Forbidden', errors: [{ domain: 'global', reason: 'forbidden' }] } },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: { capabilities: { lacks: ['zones:list'], missing: ['dns.managedZones.list'] }, fitsPurpose: 'unknown' },
    },
  ],
}
