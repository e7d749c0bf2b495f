import { allZones, listOf, textAt } from '../engine/answers.ts'
import type { AbilityRead, FoundAbilities, OpenCredential, ProviderRequest } from '../engine/provider.ts'
import { clockSkew, invalid, provider, undetermined, valid } from '../engine/provider.ts'
import { tc3 } from '../engine/signatures.ts'

export default provider({
  id: 'tencentcloud',
  title: 'Tencent Cloud',
  docs: 'https://www.tencentcloud.com/document/product/1150/68278',
  keyPage: 'https://console.tencentcloud.com/cam/capi',
  baseUrl: 'https://sts.tencentcloudapi.com',
  origins: { dns: 'https://dnspod.tencentcloudapi.com' },
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'SecretKey',
      parts: {
        secretId: {
          label: 'SecretId',
          pattern: '^AKID',
          example: 'AKIDExample',
          publishedForm: {
            pattern: '^AKID[0-9A-Za-z]{32}$',
            source: 'go-acme/lego, 2026-11 (the prefix); the length is that of secret scanners, a guess',
          },
        },
        securityToken: { label: 'token', isSecret: true, isOptional: true },
      },
    },
  },
  certainty: 'documented',
  remarks:
    'The first call needs no permission. The second one lists the domains of DNSPod, or looks up one domain; permissions on CDN are not read. ' +
    'A disabled key and a deleted key get the same answer. Tokens of the old DNSPod API are not supported.',
  firstRead: { grows: 'never' },
  abilities: { isAlwaysRead: true, list: domainList(), zone: domainSearch() },
  permissions: {
    'zones:list': 'dnspod:DescribeDomainList',
    'dns:read': 'QcloudDNSPodFullAccess',
    'dns:edit': 'QcloudDNSPodFullAccess',
  },
  request: (credential, { nowMs }) =>
    signed(credential, nowMs, { service: 'sts', action: 'GetCallerIdentity', version: '2018-08-13', body: '{}' }),
  // Every answer has status 200, and messages are in the language of the account, so the code decides.
  classify({ status, body }) {
    if (status !== 200) return undetermined('unexpected_answer')
    switch (textAt(body, 'Response.Error.Code')) {
      case '':
        return textAt(body, 'Response.AccountId') && textAt(body, 'Response.Arn')
          ? valid()
          : undetermined('unexpected_answer')
      case 'AuthFailure.SignatureFailure':
        return invalid('wrong_part', { part: 'SecretKey' })
      case 'AuthFailure.SecretIdNotFound':
      case 'AuthFailure.InvalidSecretId':
        return invalid('unknown_part', { part: 'SecretId' })
      case 'AuthFailure.TokenFailure':
        return invalid('wrong_part', { part: 'token' })
      case 'AuthFailure.UnauthorizedOperation':
      case 'UnauthorizedOperation':
      // The call needs a second factor.
      case 'AuthFailure.MFAFailure':
        return valid('limited_permissions')
      case 'IpInBlacklist':
      case 'IpNotInWhitelist':
        return valid('ip_filtered')
      case 'AuthFailure.SignatureExpire':
        return clockSkew
      case 'RequestLimitExceeded':
      case 'RequestLimitExceeded.IPLimitExceeded':
        return undetermined('rate_limited')
      // Counted per account.
      case 'RequestLimitExceeded.GlobalRegionUinLimitExceeded':
        return undetermined('key_rate_limited')
      default:
        // Undecided: AuthFailure.InvalidAuthorization, NoSuchVersion and the like, which are defects of the call itself.
        return undetermined('unexpected_answer')
    }
  },
})

interface Call {
  readonly service: 'sts' | 'dnspod'
  readonly action: string
  readonly version: string
  readonly body: string
}

function signed(
  { apiKey, parts: { secretId = '', securityToken } }: OpenCredential,
  nowMs: number,
  { service, action, version, body }: Call,
): ProviderRequest {
  const call = { secretId, secretKey: apiKey, host: `${service}.tencentcloudapi.com`, service, body }
  const headers = {
    ...tc3(call, nowMs),
    'x-tc-action': action,
    'x-tc-version': version,
    ...(service === 'sts' && { 'x-tc-region': 'ap-guangzhou' }),
    ...(securityToken !== undefined && { 'x-tc-token': securityToken }),
  }
  return { path: '/', headers, body, ...(service === 'dnspod' && { origin: 'dns' }) }
}

/** One read of DNSPod. Every answer has status 200. `find` gets the code of an error, or ''. */
function dnspodRead(
  action: string,
  parametersFor: (zone: string) => object,
  find: (code: string, body: unknown, zone: string) => FoundAbilities | undefined,
): AbilityRead {
  return {
    request: (credential, { nowMs }, { zone }) =>
      signed(credential, nowMs, {
        service: 'dnspod',
        action,
        version: '2021-03-23',
        body: JSON.stringify(parametersFor(zone)),
      }),
    find: ({ status, body }, { zone }) =>
      status === 200 ? find(textAt(body, 'Response.Error.Code'), body, zone) : undefined,
  }
}

const listMax = 20

function domainList(): AbilityRead {
  return dnspodRead(
    'DescribeDomainList',
    () => ({ Limit: listMax }),
    (code, body) => {
      if (isDenied(code)) return { capabilities: { lacks: ['zones:list'] } }
      if (code === 'ResourceNotFound.NoDataOfDomain') return allZones([], { hasMore: false })
      const domains = code === '' ? listOf(body, 'Response.DomainList', 'Name') : undefined
      if (!domains) return undefined
      const names = domains.map((domain) => textAt(domain, 'Name'))
      return allZones(names, { hasMore: names.length >= listMax })
    },
  )
}

function domainSearch(): AbilityRead {
  return dnspodRead(
    'DescribeDomain',
    (zone) => ({ Domain: zone }),
    (code, body, zone) => {
      if (isDenied(code)) return { next: domainList() }
      if (code === 'InvalidParameterValue.DomainNotExists' || code === 'OperationDenied.NoPermissionToOperateDomain')
        return { hasZone: false }
      const names = [textAt(body, 'Response.DomainInfo.Domain'), textAt(body, 'Response.DomainInfo.Punycode')]
      return code === '' && names.includes(zone) ? { hasZone: true } : undefined
    },
  )
}

function isDenied(code: string): boolean {
  return code === 'AuthFailure.UnauthorizedOperation' || code === 'UnauthorizedOperation'
}
