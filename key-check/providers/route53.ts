import { textAt, valueAt } from '../engine/answer-body.ts'
import { clockSkew, invalid, provider, undetermined, valid } from '../engine/provider.ts'
import { sigV4 } from '../engine/signatures.ts'

const path = '/?Action=GetCallerIdentity&Version=2011-06-15'

/** A key is valid in one partition only and does not show which. GetCallerIdentity needs no permission. */
const partitions = {
  aws: { host: 'sts.us-east-1.amazonaws.com', region: 'us-east-1' },
  'aws-cn': { host: 'sts.cn-northwest-1.amazonaws.com.cn', region: 'cn-northwest-1' },
  'aws-us-gov': { host: 'sts.us-gov-west-1.amazonaws.com', region: 'us-gov-west-1' },
} as const

function partitionOf(name: string | undefined): keyof typeof partitions {
  return name === 'aws-cn' || name === 'aws-us-gov' ? name : 'aws'
}

export default provider({
  id: 'route53',
  title: 'AWS',
  docs: 'https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html',
  keyPage: 'https://console.aws.amazon.com/iam/home#/security_credentials',
  baseUrl: `https://${partitions.aws.host}`,
  origins: {
    'aws-cn': `https://${partitions['aws-cn'].host}`,
    'aws-us-gov': `https://${partitions['aws-us-gov'].host}`,
  },
  keyTypes: {
    api_key: {
      label: 'access key',
      keyLabel: 'secret access key',
      email: 'unused',
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
      },
    },
  },
  refusesNewKeys: true, // about 1 in 50 after 3 s, none after 15 s
  certainty: 'logged',
  remarks:
    'The check shows whether the key is genuine and active. Its call needs no permission, so it does not show permissions ' +
    'on Route 53 or CloudFront. A deactivated key, a deleted key and a key of another partition get the same answer.',
  answersXml: true,
  request({ apiKey, parts: { accessKeyId = '', sessionToken, partition } }, { nowMs }) {
    const name = partitionOf(partition)
    const { host, region } = partitions[name]
    const key = { accessKeyId, secretAccessKey: apiKey, sessionToken, region, service: 'sts' }
    const headers = sigV4(key, { method: 'GET', url: `https://${host}${path}` }, nowMs)
    return { path, headers, ...(name !== 'aws' && { origin: name }) }
  },
  classify({ status, body }) {
    // We ask for JSON; older answers are XML, whose root element contains the error.
    const error = valueAt(body, 'Error') ?? valueAt(body, 'ErrorResponse.Error')
    const code = textAt(error, 'Code')
    const result = 'GetCallerIdentityResponse.GetCallerIdentityResult'
    if (status === 200 && /^\d{12}$/.test(textAt(body, `${result}.Account`)) && textAt(body, `${result}.Arn`))
      return valid()
    if (code === 'Throttling' || code === 'RequestLimitExceeded') return undetermined('rate_limited')
    if (status !== 403) return undetermined('unexpected_answer')
    // This code has two causes. The text about the clock is fixed; anything else means the secret.
    const isClock = /^Signature (?:expired|not yet current)\b/.test(textAt(error, 'Message'))
    if (code === 'RequestExpired' || (code === 'SignatureDoesNotMatch' && isClock)) return clockSkew
    if (code === 'SignatureDoesNotMatch') return invalid('wrong_part', { part: 'secret access key' })
    if (code === 'InvalidClientTokenId') return invalid('unknown_part', { part: 'access key ID' })
    if (code === 'ExpiredToken') return invalid('expired')
    return undetermined('unexpected_answer')
  },
})
