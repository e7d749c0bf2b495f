import { textAt } from '../engine/answer-body.ts'
import { clockSkew, invalid, provider, undetermined, valid } from '../engine/provider.ts'
import { tc3 } from '../engine/signatures.ts'

export default provider({
  id: 'tencentcloud',
  title: 'Tencent Cloud',
  docs: 'https://www.tencentcloud.com/document/product/1150/68278',
  keyPage: 'https://console.tencentcloud.com/cam/capi',
  baseUrl: 'https://sts.tencentcloudapi.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'SecretKey',
      email: 'unused',
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
    'The check shows whether the key is genuine and active. It does not show its permissions on DNSPod or CDN. A disabled key and a ' +
    'deleted key get the same answer. Tokens of the old DNSPod API are not supported.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request({ apiKey, parts: { secretId = '', securityToken } }, { nowMs }) {
    const call = { secretId, secretKey: apiKey, host: 'sts.tencentcloudapi.com', service: 'sts', body: '{}' }
    const headers = {
      ...tc3(call, nowMs),
      'x-tc-action': 'GetCallerIdentity',
      'x-tc-version': '2018-08-13',
      'x-tc-region': 'ap-guangzhou',
      ...(securityToken !== undefined && { 'x-tc-token': securityToken }),
    }
    return { path: '/', headers, body: call.body }
  },
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
        return invalid('unknown_part', { part: 'SecretId' })
      case 'AuthFailure.TokenFailure':
        return invalid('wrong_part', { part: 'token' })
      case 'AuthFailure.UnauthorizedOperation':
      case 'UnauthorizedOperation':
        return valid('limited_permissions')
      case 'AuthFailure.SignatureExpire':
        return clockSkew
      case 'RequestLimitExceeded':
        return undetermined('rate_limited')
      default:
        return undetermined('unexpected_answer')
    }
  },
})
