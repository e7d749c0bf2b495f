import { listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import {
  clockSkew,
  invalid,
  type OpenCredential,
  type ProviderRequest,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'
import { huaweiHeaders } from '../engine/signatures.ts'

const baseUrl = 'https://dns.myhuaweicloud.com'

export default provider({
  id: 'huaweicloud',
  title: 'Huawei Cloud',
  docs: 'https://support.huaweicloud.com/intl/en-us/api-dns/dns_api_62003.html',
  keyPage: 'https://console-intl.huaweicloud.com/iam/#/mine/accessKey',
  baseUrl,
  keyTypes: {
    api_key: {
      label: 'access key',
      keyLabel: 'secret access key (SK)',
      parts: {
        accessKeyId: { label: 'access key ID (AK)', pattern: '^[A-Z0-9]{20}$', example: 'QTWAOYTTINDUT2QVKYUC' },
        securityToken: { label: 'security token', isSecret: true, isOptional: true },
      },
    },
  },
  certainty: 'logged',
  remarks:
    'The answer to a key without DNS permissions was seen for another call only, so it proves nothing. Huawei Cloud locks a key for five minutes ' +
    'after more than five wrong secrets. Private zones are not read.',
  firstRead: { needs: 'dns:zone:list', grows: 'with one zone' },
  abilities: {
    zone: {
      request: (credential, { nowMs }, { zone }) =>
        signed(credential, `/v2/zones?name=${zone}&limit=${namesMax}`, nowMs),
      find({ status, body }, { zone }) {
        const zones = status === 200 ? listOf(body, 'zones', 'name') : undefined
        if (!zones || typeof valueAt(body, 'metadata.total_count') !== 'number') return undefined
        if (zones.some((found) => textAt(found, 'name') === `${zone}.`)) return { hasZone: true }
        // Part of a name matches, so a full page may continue with the zone.
        return zones.length < namesMax ? { hasZone: false } : {}
      },
    },
  },
  permissions: { 'zones:list': 'dns:zone:list', 'dns:read': 'dns:recordset:list', 'dns:edit': 'dns:recordset:update' },
  request: (credential, { nowMs }) => signed(credential, '/v2/zones?limit=1', nowMs),
  classify({ status, body }) {
    const zones = listOf(body, 'zones', 'id')
    if (status === 200 && zones) {
      const names = zones.map((zone) => valueAt(zone, 'name'))
      return valid(undefined, {}, zonesIn(names, { total: valueAt(body, 'metadata.total_count') }))
    }
    // Some regions use the other code.
    const isRefusal = ['APIGW.0301', 'APIG.0301'].includes(textAt(body, 'error_code'))
    if (status !== 401 || !isRefusal) return undetermined('unexpected_answer')
    // The gateway uses one code for all rejections; its text repeats the ID, or the call that was signed.
    const text = textAt(body, 'error_msg').replace('Incorrect IAM authentication information: ', '')
    // More than five wrong secrets in a row lock the ID for five minutes, also for the right one (apig-faq-0003).
    if (text.startsWith('AK access failed to reach the limit')) return undetermined('key_rate_limited', 300)
    if (/^(?:ak \S+|Get secretKey failed,ak:\S*,err:ak) not exist/.test(text))
      return invalid('unknown_part', { part: 'access key ID' })
    if (text.startsWith('verify aksk signature fail')) return invalid('wrong_part', { part: 'secret access key' })
    return text.startsWith('calc aksk signature fail:signature expired') ? clockSkew : undetermined('unexpected_answer')
  },
})

const namesMax = 50

function signed(
  { apiKey, parts: { accessKeyId = '', securityToken } }: OpenCredential,
  path: string,
  nowMs: number,
): ProviderRequest {
  const key = { accessKeyId, secretAccessKey: apiKey }
  const token: Record<string, string> = securityToken === undefined ? {} : { 'x-security-token': securityToken }
  return { path, headers: huaweiHeaders(key, { method: 'GET', url: `${baseUrl}${path}` }, nowMs, token) }
}
