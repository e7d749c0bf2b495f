import { allZones, listOf, textAt, valueAt } from '../engine/answers.ts'
import type { AbilityRead, Moment, OpenCredential, ProviderAnswer, ProviderRequest } from '../engine/provider.ts'
import { clockSkew, invalid, provider, undetermined, valid } from '../engine/provider.ts'
import { alibabaRpc } from '../engine/signatures.ts'

export default provider({
  id: 'alidns',
  title: 'Alibaba Cloud',
  docs: 'https://www.alibabacloud.com/help/en/ram/developer-reference/api-sts-2015-04-01-getcalleridentity',
  keyPage: 'https://ram.console.aliyun.com/profile/access-keys',
  baseUrl: 'https://sts.aliyuncs.com',
  origins: { dns: 'https://alidns.aliyuncs.com' },
  keyTypes: {
    api_key: {
      label: 'AccessKey',
      keyLabel: 'AccessKey secret',
      parts: {
        accessKeyId: {
          label: 'AccessKey ID',
          pattern: '^(LTAI|STS\\.)',
          example: 'LTAI5tExample',
          publishedForm: {
            pattern: '^LTAI[0-9A-Za-z]{20}$',
            source: 'gitleaks/gitleaks cmd/generate/config/rules/alibaba.go @7c56229',
          },
        },
        securityToken: {
          label: 'security token',
          isSecret: true,
          isOptional: true,
          requiredWhen: { accessKeyId: '^STS\\.' },
        },
      },
    },
  },
  certainty: 'logged',
  remarks:
    'The first call needs no permission. The second one lists the domains of Alibaba Cloud DNS, or looks up one domain; permissions on CDN are not read.',
  firstRead: { grows: 'never' },
  abilities: { isAlwaysRead: true, list: domainList(), zone: domainSearch() },
  permissions: {
    'zones:list': 'alidns:DescribeDomains',
    'dns:read': 'alidns:DescribeDomainRecords',
    'dns:edit': 'alidns:AddDomainRecord, alidns:UpdateDomainRecord, alidns:DeleteDomainRecord',
  },
  request: (credential, moment) => signed(credential, moment, { Action: 'GetCallerIdentity', Version: '2015-04-01' }),
  classify({ status, body }) {
    const code = textAt(body, 'Code')
    if (status === 200 && textAt(body, 'AccountId') && textAt(body, 'Arn')) return valid()
    if (status < 400 || status >= 500) return undetermined('unexpected_answer')
    if (code === 'SignatureDoesNotMatch') return invalid('wrong_part', { part: 'secret' })
    if (code === 'InvalidAccessKeyId.NotFound') return invalid('unknown_part', { part: 'ID' })
    if (code === 'InvalidAccessKeyId.Inactive') return invalid('disabled')
    if (code === 'InvalidSecurityToken.Expired') return invalid('expired')
    if (code === 'InvalidSecurityToken.Malformed') return invalid('wrong_part', { part: 'security token' })
    if (code === 'Forbidden.AccessDenied') return valid('limited_permissions')
    if (code === 'InvalidTimeStamp.Expired') return clockSkew
    // Undecided: InvalidSecurityToken.MismatchWithAccessKey, of which no source shows an answer, and codes for a defect of the call itself,
    // such as IncompleteSignature.
    return undetermined(/^Throttling(?:\.User)?$/.test(code) ? 'rate_limited' : 'unexpected_answer')
  },
})

function signed(
  { apiKey, parts: { accessKeyId = '', securityToken } }: OpenCredential,
  { nowMs, nonce }: Moment,
  call: Readonly<Record<string, string>>,
): ProviderRequest {
  const parameters = {
    ...call,
    Format: 'JSON',
    AccessKeyId: accessKeyId,
    SignatureMethod: 'HMAC-SHA1',
    SignatureVersion: '1.0',
    SignatureNonce: nonce,
    Timestamp: new Date(nowMs).toISOString().replace(/\.\d{3}/, ''),
    ...(securityToken !== undefined && { SecurityToken: securityToken }),
  }
  return { path: '/', headers: {}, form: alibabaRpc(apiKey, 'POST', parameters) }
}

/** One read of Alibaba Cloud DNS. */
function dnsRead(callOf: (zone: string) => Record<string, string>, find: AbilityRead['find']): AbilityRead {
  return {
    request: (credential, moment, { zone }) => ({
      ...signed(credential, moment, { ...callOf(zone), Version: '2015-01-09' }),
      origin: 'dns',
    }),
    find,
  }
}

/** A policy for one domain does not allow the list. */
function domainList(): AbilityRead {
  return dnsRead(
    () => ({ Action: 'DescribeDomains', PageSize: '20' }),
    (answer) => {
      const { status, body } = answer
      const domains = listOf(body, 'Domains.Domain', 'DomainName')
      const total = valueAt(body, 'TotalCount')
      if (isDenied(answer)) return { capabilities: { lacks: ['zones:list'] } }
      if (status !== 200 || !domains || typeof total !== 'number') return undefined
      const names = domains.map((domain) => valueAt(domain, 'DomainName'))
      return allZones(names, { total })
    },
  )
}

/** Policies that tools recommend allow either this call or the list of records (external-dns alibabacloud.md @2bf1bf8). */
function domainSearch(): AbilityRead {
  return dnsRead(
    (zone) => ({ Action: 'DescribeDomainInfo', DomainName: zone }),
    (answer, { zone }) => {
      const { status, body } = answer
      const names = [textAt(body, 'PunyCode'), textAt(body, 'DomainName')]
      if (status === 200 && textAt(body, 'DomainId') && names.includes(zone))
        return { hasZone: true, next: recordList() }
      if (isDenied(answer)) return { next: recordList() }
      return isNoDomain(answer) ? { hasZone: false } : undefined
    },
  )
}

function recordList(): AbilityRead {
  return dnsRead(
    (zone) => ({ Action: 'DescribeDomainRecords', DomainName: zone, PageSize: '1' }),
    (answer) => {
      const { status, body } = answer
      if (status === 200 && listOf(body, 'DomainRecords.Record', 'RecordId'))
        return { hasZone: true, capabilities: { abilities: ['dns:read'] } }
      if (isDenied(answer)) return { capabilities: { lacks: ['dns:read'] } }
      return isNoDomain(answer) ? { hasZone: false } : undefined
    },
  )
}

/** The status is 400 (jeessy2/ddns-go#1155). */
function isDenied({ status, body }: ProviderAnswer): boolean {
  return status !== 200 && textAt(body, 'Code') === 'Forbidden.RAM'
}

function isNoDomain({ status, body }: ProviderAnswer): boolean {
  return status === 400 && textAt(body, 'Code') === 'InvalidDomainName.NoExist'
}
