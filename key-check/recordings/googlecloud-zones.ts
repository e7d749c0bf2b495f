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
    path: '/@dns/dns/v1/projects/named-archway-000000/managedZones?maxResults=20&fields=kind,nextPageToken,managedZones(dnsName)',
    headers: { authorization: 'Bearer ya29.{token}' },
  },
  asks: {},
  answers: [
    {
      name: 'valid',
      source: list,
      isFollowed: true,
      status: 200,
      body: { kind: 'dns#managedZonesListResponse', managedZones: [{ dnsName: 'example.tk.' }], nextPageToken: 'x' },
    },
    {
      name: 'project-api-off',
      source: list,
      isFollowed: true,
      status: 200,
      body: { kind: 'dns#managedZonesListResponse', managedZones: [{ dnsName: 'example.tk.' }] },
    },
    {
      name: 'reader',
      source: list,
      isFollowed: true,
      status: 200,
      body: { kind: 'dns#managedZonesListResponse', managedZones: [{ dnsName: 'example.tk.' }] },
    },
    {
      name: 'no-permission-on-project',
      source: list,
      isFollowed: true,
      status: 200,
      body: { kind: 'dns#managedZonesListResponse', managedZones: [{ dnsName: 'example.tk.' }] },
    },
    {
      name: 'no-zones',
      source: `${list}, without a zone`,
      status: 200,
      body: { kind: 'dns#managedZonesListResponse' },
      verdict: { isValid: true, code: 'no_zones' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 0 } },
    },
    {
      name: 'no-right',
      source: 'hashicorp/terraform-provider-google#9468',
      status: 403,
      body: {
        error: {
          code: 403,
          message: 'Forbidden',
          errors: [{ message: 'Forbidden', domain: 'global', reason: 'forbidden' }],
        },
      },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: { capabilities: { lacks: ['zones:list'], missing: ['dns.managedZones.list'] } },
    },
    {
      name: 'api-off',
      source: 'opstrace/opstrace#128',
      status: 403,
      body: {
        error: {
          code: 403,
          message: 'Cloud DNS API has not been used in project 000000000000 before or it is disabled.',
          errors: [
            {
              message: 'Cloud DNS API has not been used in project 000000000000 before or it is disabled.',
              domain: 'usageLimits',
              reason: 'accessNotConfigured',
              extendedHelp: 'https://console.developers.google.com',
            },
          ],
        },
      },
      verdict: { isValid: true, code: 'service_not_enabled' },
      shows: { capabilities: { missing: ['the Cloud DNS API'] } },
    },
    {
      name: 'no-scope',
      source: 'kubernetes-sigs/external-dns#1020 (with the members of the other refusals)',
      status: 403,
      body: {
        error: {
          code: 403,
          message: 'Request had insufficient authentication scopes.',
          errors: [{ domain: 'global', reason: 'insufficientPermissions' }],
        },
      },
    },
  ],
}
