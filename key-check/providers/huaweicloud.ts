import { listOf, textAt } from '../engine/answer-body.ts'
import { clockSkew, invalid, provider, undetermined, valid } from '../engine/provider.ts'
import { huaweiHeaders } from '../engine/signatures.ts'

const baseUrl = 'https://dns.myhuaweicloud.com'
const path = '/v2/zones?limit=1'

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
      email: 'unused',
      parts: {
        accessKeyId: { label: 'access key ID (AK)', pattern: '^[A-Z0-9]{20}$', example: 'QTWAOYTTINDUT2QVKYUC' },
        securityToken: { label: 'security token', isSecret: true, isOptional: true },
      },
    },
  },
  certainty: 'logged',
  remarks: 'The answer to a key without DNS permissions is unknown, so it proves nothing.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey, parts: { accessKeyId = '', securityToken } }, { nowMs }) => ({
    path,
    headers: huaweiHeaders(
      { accessKeyId, secretAccessKey: apiKey },
      { method: 'GET', url: `${baseUrl}${path}` },
      nowMs,
      securityToken === undefined ? {} : { 'x-security-token': securityToken },
    ),
  }),
  classify({ status, body }) {
    if (status === 200 && listOf(body, 'zones', 'id')) return valid()
    if (status !== 401 || textAt(body, 'error_code') !== 'APIGW.0301') return undetermined('unexpected_answer')
    // The gateway uses one code for all rejections; its text repeats the ID, or the call that was signed.
    const text = textAt(body, 'error_msg').replace('Incorrect IAM authentication information: ', '')
    if (/^ak \S+ not exist/.test(text)) return invalid('unknown_part', { part: 'access key ID' })
    if (text.startsWith('verify aksk signature fail')) return invalid('wrong_part', { part: 'secret access key' })
    return text.startsWith('calc aksk signature fail:signature expired') ? clockSkew : undetermined('unexpected_answer')
  },
})
