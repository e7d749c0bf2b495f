import type { Recording } from '../simulator/recording.ts'
import { deniedXml, hostedZone, isSignedForRoute53, route53Xml } from '../simulator/route53.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/route53 @e23b58a'

/** The keys of route53-edit.ts. */
const provers = [
  'editable',
  'editable-other-value',
  'editable-list-of-messages',
  'read-only',
  'read-only-short',
  'invalid-input',
  'other-400',
]

const found = {
  source: cassettes,
  isFollowed: true,
  status: 200,
  headers: { 'content-type': 'text/xml' },
  body: route53Xml(
    'ListHostedZonesByNameResponse',
    `<HostedZones>${hostedZone('Z040120927RX9CM00XXXX', 'example.tk.')}</HostedZones><IsTruncated>false</IsTruncated><MaxItems>20</MaxItems>`,
  ),
} as const

export const recording: Recording = {
  id: 'route53',
  keyType: 'api_key',
  parts: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
  call: {
    method: 'GET',
    path: '/@dns/2013-04-01/hostedzonesbyname?dnsname=example.tk.&maxitems=1',
    headers: {},
    accepts: isSignedForRoute53,
  },
  asks: { zone: 'example.tk' },
  answers: [
    ...['zone-without-records', 'zone-with-records', ...provers].map((name) => ({ name, ...found })),
    {
      name: 'another-zone',
      source: `${cassettes} (with the zone that follows in the list)`,
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: route53Xml(
        'ListHostedZonesByNameResponse',
        `<HostedZones>${hostedZone('Z040120927RX9CM00XXXX', 'example.to.')}</HostedZones><IsTruncated>true</IsTruncated><MaxItems>1</MaxItems>`,
      ),
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'] }, fitsPurpose: 'no' },
    },
    {
      name: 'list-only',
      source: 'cert-manager/cert-manager#2010',
      isFollowed: true,
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: deniedXml('route53:ListHostedZonesByName'),
    },
  ],
}
