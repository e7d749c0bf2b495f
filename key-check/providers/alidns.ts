import { textAt } from '../engine/answer-body.ts'
import { clockSkew, invalid, provider, undetermined, valid } from '../engine/provider.ts'
import { alibabaRpc } from '../engine/signatures.ts'

export default provider({
  id: 'alidns',
  title: 'Alibaba Cloud',
  docs: 'https://www.alibabacloud.com/help/en/ram/developer-reference/api-sts-2015-04-01-getcalleridentity',
  keyPage: 'https://ram.console.aliyun.com/profile/access-keys',
  baseUrl: 'https://sts.aliyuncs.com',
  keyTypes: {
    api_key: {
      label: 'AccessKey',
      keyLabel: 'AccessKey secret',
      email: 'unused',
      parts: {
        accessKeyId: {
          label: 'AccessKey ID',
          pattern: '^LTAI',
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
  remarks: 'The check shows whether the key is genuine and active. It does not show its DNS or CDN permissions.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request({ apiKey, parts: { accessKeyId = '', securityToken } }, { nowMs, nonce }) {
    const parameters = {
      Action: 'GetCallerIdentity',
      Version: '2015-04-01',
      Format: 'JSON',
      AccessKeyId: accessKeyId,
      SignatureMethod: 'HMAC-SHA1',
      SignatureVersion: '1.0',
      SignatureNonce: nonce,
      Timestamp: new Date(nowMs).toISOString().replace(/\.\d{3}/, ''),
      ...(securityToken !== undefined && { SecurityToken: securityToken }),
    }
    return { path: '/', headers: {}, form: alibabaRpc(apiKey, 'POST', parameters) }
  },
  classify({ status, body }) {
    const code = textAt(body, 'Code')
    if (status === 200 && textAt(body, 'AccountId') && textAt(body, 'Arn')) return valid()
    if (status < 400 || status >= 500) return undetermined('unexpected_answer')
    if (code === 'SignatureDoesNotMatch') return invalid('wrong_part', { part: 'secret' })
    if (code === 'InvalidAccessKeyId.NotFound') return invalid('unknown_part', { part: 'ID' })
    if (code === 'InvalidAccessKeyId.Inactive') return invalid('disabled')
    if (code === 'Forbidden.AccessDenied') return valid('limited_permissions')
    if (code === 'InvalidTimeStamp.Expired') return clockSkew
    return undetermined(code === 'Throttling.User' ? 'rate_limited' : 'unexpected_answer')
  },
})
