import { allZones, listAt, objectAt, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import type {
  AbilityRead,
  CredentialFault,
  FoundAbilities,
  OpenCredential,
  ProofContext,
  ProviderAnswer,
  ProviderRequest,
} from '../engine/provider.ts'
import { clockSkew, invalid, provider, retry, undetermined, valid } from '../engine/provider.ts'
import { sigV4 } from '../engine/signatures.ts'
import { accountIn } from './route53/account.ts'

const path = '/?Action=GetCallerIdentity&Version=2011-06-15'

/** A key is valid in one partition only and does not show which. GetCallerIdentity needs no permission. */
const partitions = {
  aws: {
    sts: { host: 'sts.us-east-1.amazonaws.com', region: 'us-east-1' },
    dns: { host: 'route53.amazonaws.com', region: 'us-east-1' },
  },
  'aws-cn': {
    sts: { host: 'sts.cn-northwest-1.amazonaws.com.cn', region: 'cn-northwest-1' },
    dns: { host: 'route53.amazonaws.com.cn', region: 'cn-northwest-1' },
  },
  'aws-us-gov': {
    sts: { host: 'sts.us-gov-west-1.amazonaws.com', region: 'us-gov-west-1' },
    dns: { host: 'route53.us-gov.amazonaws.com', region: 'us-gov-west-1' },
  },
} as const

function partitionOf(name: string | undefined): keyof typeof partitions {
  return name === 'aws-cn' || name === 'aws-us-gov' ? name : 'aws'
}

/** Some IDs contain the number of their account. */
function faultOf(_: string, { accessKeyId = '', accountId }: OpenCredential['parts']): CredentialFault | undefined {
  const account = accountIn(accessKeyId)
  if (accountId === undefined || account === undefined || account === accountId) return undefined
  return { reason: 'unmatched_parts', part: 'access key ID', other: 'account ID' }
}

export default provider({
  id: 'route53',
  title: 'AWS',
  docs: 'https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html',
  keyPage: 'https://console.aws.amazon.com/iam/home#/security_credentials',
  smallerKeyPage: 'https://console.aws.amazon.com/iam/home#/users',
  baseUrl: `https://${partitions.aws.sts.host}`,
  origins: {
    dns: `https://${partitions.aws.dns.host}`,
    'aws-cn': `https://${partitions['aws-cn'].sts.host}`,
    'aws-cn-dns': `https://${partitions['aws-cn'].dns.host}`,
    'aws-us-gov': `https://${partitions['aws-us-gov'].sts.host}`,
    'aws-us-gov-dns': `https://${partitions['aws-us-gov'].dns.host}`,
  },
  keyTypes: {
    api_key: {
      label: 'access key',
      keyLabel: 'secret access key',
      parts: {
        accessKeyId: {
          label: 'access key ID',
          pattern: '^(AKIA|ASIA)[A-Z0-9]{16}$',
          example: 'AKIAIOSFODNN7EXAMPLE',
          publishedForm: {
            pattern: '^(AKIA|ASIA)[A-Z0-9]{16}$',
            source: 'trufflesecurity/trufflehog pkg/detectors/aws/access_keys/accesskey.go, 2026-10',
          },
        },
        sessionToken: {
          label: 'session token',
          isSecret: true,
          isOptional: true,
          requiredWhen: { accessKeyId: '^ASIA' },
        },
        partition: { label: 'partition', isOptional: true, options: Object.keys(partitions) },
        accountId: { label: 'account ID', isOptional: true, mustMatch: '^[0-9]{12}$' },
      },
      faultOf,
    },
  },
  newKeys: {
    // 1 in 50 fails after 3 s.
    settlesAfterMs: 15_000,
    source: 'aws/aws-sdk-js#559, all-of-us/raw-data-repository#573, boto/botocore#3600',
  },
  rivalSecrets: {
    part: 'accessKeyId',
    afterMs: 5_000,
    source: 'trufflesecurity/trufflehog pkg/detectors/aws/access_keys/accesskey.go @3ab759f',
  },
  certainty: 'logged',
  remarks:
    'The first call needs no permission. The second one lists the hosted zones of Route 53; permissions on CloudFront are not read. ' +
    'A condition of a policy, such as on the address, looks like a missing permission. ' +
    'A deactivated key, a deleted key and a key of another partition get the same answer.',
  firstRead: { grows: 'never' },
  // Policies that tools recommend allow one of the two lists (lego route53.toml @a0e15c2, certbot-dns-route53 @f769e35).
  abilities: {
    isAlwaysRead: true,
    list: zoneList('hostedzone?maxitems=20', () => zoneList('hostedzonesbyname?maxitems=20')),
    zone: zoneSearch(),
    proof: deletionOfNothing(),
  },
  permissions: {
    'zones:list': 'route53:ListHostedZones',
    'dns:read': 'route53:ListResourceRecordSets',
    'dns:edit': 'route53:ChangeResourceRecordSets',
  },
  answersXml: true,
  request: (credential, { nowMs }) => signed(credential, { service: 'sts', path, nowMs }),
  classify({ status, body }) {
    const error = errorIn(body)
    const code = textAt(error, 'Code')
    const result = objectAt(body, 'GetCallerIdentityResponse.GetCallerIdentityResult')
    if (error && result) return undetermined('unexpected_answer')
    if (status === 200 && /^\d{12}$/.test(textAt(result, 'Account')) && textAt(result, 'Arn'))
      return { ...valid(), ...(textAt(result, 'Arn').endsWith(':root') && { excess: 'root' }) }
    if (code === 'Throttling' || code === 'RequestLimitExceeded') return undetermined('rate_limited')
    if (status !== 403) return undetermined('unexpected_answer')
    // This code has two causes. The text about the clock is fixed; anything else means the secret.
    const isClock = /^Signature (?:expired|not yet current)\b/.test(textAt(error, 'Message'))
    if (code === 'RequestExpired' || (code === 'SignatureDoesNotMatch' && isClock)) return clockSkew
    if (code === 'SignatureDoesNotMatch') return invalid('wrong_part', { part: 'secret access key' })
    if (code === 'InvalidClientTokenId') return retry(invalid('unknown_part', { part: 'access key ID' }))
    if (code === 'ExpiredToken') return invalid('expired')
    return undetermined('unexpected_answer')
  },
})

interface Call {
  readonly service: 'sts' | 'route53'
  readonly path: string
  readonly nowMs: number
  readonly body?: string
}

function signed({ apiKey, parts }: OpenCredential, { service, path, nowMs, body }: Call): ProviderRequest {
  const { accessKeyId = '', sessionToken, partition } = parts
  const name = partitionOf(partition)
  const { host, region } = partitions[name][service === 'sts' ? 'sts' : 'dns']
  const key = { accessKeyId, secretAccessKey: apiKey, sessionToken, region, service }
  const write = body === undefined ? undefined : { body }
  const headers = sigV4(key, { method: write ? 'POST' : 'GET', url: `https://${host}${path}`, ...write }, nowMs)
  const origin = [name === 'aws' ? [] : name, service === 'sts' ? [] : 'dns'].flat().join('-')
  const type = write && { 'content-type': 'application/xml' }
  return { path, headers: { ...headers, ...type }, ...write, ...(origin && { origin }) }
}

/** We ask for JSON. Older answers, and all of Route 53, are XML, whose root element contains the error. */
function errorIn(body: unknown): unknown {
  return valueAt(body, 'Error') ?? valueAt(body, 'ErrorResponse.Error')
}

/** One read of Route 53. */
function route53Read(pathOf: (zone: string) => string, find: AbilityRead['find']): AbilityRead {
  return {
    answersXml: true,
    request: (credential, { nowMs }, { zone }) =>
      signed(credential, { service: 'route53', path: `/2013-04-01/${pathOf(zone)}`, nowMs }),
    find,
  }
}

/** One page of zones. If the key may not make this call, the other one decides. */
function zoneList(query: string, other?: () => AbilityRead): AbilityRead {
  return route53Read(
    () => query,
    (answer, { zone }) => {
      const page = pageOf(answer)
      if (!page) return refusalOf(answer, other)
      const names = page.zones.map(({ name }) => name)
      return zone ? { capabilities: zonesIn(names, page), ...zoneIn(page, zone) } : allZones(names, page)
    },
  )
}

/** The list by name begins at the zone, or behind its place. */
function zoneSearch(): AbilityRead {
  return route53Read(
    (zone) => `hostedzonesbyname?dnsname=${zone}.&maxitems=1`,
    (answer, { zone }) => {
      const page = pageOf(answer)
      if (!page) return refusalOf(answer, () => zoneList('hostedzone?maxitems=100'))
      return { capabilities: { abilities: ['zones:list'] }, ...zoneIn({ ...page, hasMore: false }, zone) }
    },
  )
}

/** The zone in a page. It is missing if the page is the last one. */
function zoneIn({ zones, hasMore }: Page, zone: string): FoundAbilities {
  const found = zones.find(({ name }) => name === `${zone}.`)
  if (!found) return hasMore ? {} : { hasZone: false }
  const id = /^\/hostedzone\/([A-Z0-9]{1,32})$/.exec(found.id)?.[1]
  return { hasZone: true, ...(id && { zoneId: id, next: recordsOf(id) }) }
}

function recordsOf(zoneId: string): AbilityRead {
  return route53Read(
    () => `hostedzone/${zoneId}/rrset?maxitems=1`,
    ({ status, body }) => {
      if (status === 200 && objectAt(body, 'ListResourceRecordSetsResponse.ResourceRecordSets'))
        return { capabilities: { abilities: ['dns:read'] } }
      const isDenied = status === 403 && textAt(errorIn(body), 'Code') === 'AccessDenied'
      return isDenied ? { capabilities: { lacks: ['dns:read'] } } : undefined
    },
  )
}

/**
 * Deletes a record that does not exist: Route 53 deletes only what matches in name, type, TTL and value. Policies that tools recommend may
 * allow only this name, and only TXT records (lego route53.toml @a0e15c2).
 */
function deletionOfNothing(): AbilityRead<ProofContext> {
  return {
    answersXml: true,
    request: (credential, { nowMs }, { zone, zoneId, unusedValue }) => {
      const record = `<Name>_acme-challenge.${zone}.</Name><Type>TXT</Type><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>"${unusedValue}"</Value></ResourceRecord></ResourceRecords>`
      const body = `<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ChangeBatch><Changes><Change><Action>DELETE</Action><ResourceRecordSet>${record}</ResourceRecordSet></Change></Changes></ChangeBatch></ChangeResourceRecordSetsRequest>`
      return signed(credential, { service: 'route53', path: `/2013-04-01/hostedzone/${zoneId}/rrset/`, nowMs, body })
    },
    find({ status, body }) {
      const code = textAt(errorIn(body), 'Code')
      if (status === 403 && code === 'AccessDenied') return { capabilities: { lacks: ['dns:edit'] } }
      const text =
        code === 'InvalidChangeBatch'
          ? textAt(errorIn(body), 'Message')
          : textAt(body, 'InvalidChangeBatch.Messages.Message')
      const isMissing =
        /^\s*Tried to delete resource record set \S[^\n]*\bbut (?:it was not found|the values provided do not match the current values)\s*$/.test(
          text,
        )
      return status === 400 && isMissing ? { capabilities: { abilities: ['dns:edit'] } } : undefined
    },
  }
}

interface Page {
  readonly zones: readonly { readonly id: string; readonly name: string }[]
  readonly hasMore: boolean
}

/** undefined if the answer is not a list of zones. */
function pageOf({ status, body }: ProviderAnswer): Page | undefined {
  const list = objectAt(body, 'ListHostedZonesResponse') ?? objectAt(body, 'ListHostedZonesByNameResponse')
  const isTruncated = textAt(list, 'IsTruncated')
  if (status !== 200 || !/^(?:true|false)$/.test(isTruncated) || errorIn(body) !== undefined) return undefined
  // XML does not tell a list of one from its entry.
  const one = objectAt(list, 'HostedZones.HostedZone')
  const zones = one ? [one] : (listAt(list, 'HostedZones.HostedZone') ?? [])
  return {
    zones: zones.map((zone) => ({ id: textAt(zone, 'Id'), name: textAt(zone, 'Name') })),
    hasMore: isTruncated === 'true',
  }
}

function refusalOf({ status, body }: ProviderAnswer, other?: () => AbilityRead): FoundAbilities | undefined {
  const code = textAt(errorIn(body), 'Code')
  if (code === 'OptInRequired') return { caveat: 'service_not_enabled', capabilities: { missing: ['Route 53'] } }
  if (status !== 403 || code !== 'AccessDenied') return undefined
  return other ? { next: other() } : { capabilities: { lacks: ['zones:list'] } }
}
