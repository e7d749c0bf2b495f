import type { RecordedAnswer, Recording } from '../simulator/recording.ts'
import { deniedXml, isSignedForRoute53, route53Xml } from '../simulator/route53.ts'

const listed = {
  source: 'https://docs.aws.amazon.com/Route53/latest/APIReference/API_ListResourceRecordSets.html, 2026-11',
  status: 200,
  headers: { 'content-type': 'text/xml' },
  body: route53Xml(
    'ListResourceRecordSetsResponse',
    '<ResourceRecordSets><ResourceRecordSet><Name>example.tk.</Name><Type>NS</Type><TTL>172800</TTL></ResourceRecordSet></ResourceRecordSets><IsTruncated>true</IsTruncated><MaxItems>1</MaxItems>',
  ),
} as const

/** The keys of route53-edit.ts that may read. */
const provers = ['editable', 'editable-other-value', 'read-only', 'read-only-short', 'invalid-input', 'other-400']

export const recording: Recording = {
  id: 'route53',
  keyType: 'api_key',
  parts: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
  call: {
    method: 'GET',
    path: '/@dns/2013-04-01/hostedzone/Z040120927RX9CM00XXXX/rrset?maxitems=1',
    headers: {},
    accepts: isSignedForRoute53,
  },
  asks: { zone: 'example.tk' },
  answers: [
    {
      name: 'zone-with-records',
      ...listed,
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list', 'dns:read'] },
        fitsPurpose: 'yes',
      } satisfies RecordedAnswer['shows'],
    },
    {
      name: 'zone-without-records',
      source: 'go-acme/lego#716',
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: deniedXml('route53:ListResourceRecordSets'),
      verdict: { isValid: true, code: 'ability_missing' },
      shows: {
        capabilities: { abilities: ['zones:list'], lacks: ['dns:read'], missing: ['route53:ListResourceRecordSets'] },
        fitsPurpose: 'yes',
      },
    },
    ...provers.map((name): RecordedAnswer => ({ name, isFollowed: true, ...listed })),
    {
      name: 'editable-list-of-messages',
      source: 'go-acme/lego#716',
      isFollowed: true,
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: deniedXml('route53:ListResourceRecordSets'),
    },
  ],
}
