import { createHmac, createPrivateKey } from 'node:crypto'
import { expect, test } from 'vitest'

import {
  alibabaRpc,
  dnsMadeEasyHeaders,
  edgeGridHeaders,
  exo2,
  huaweiHeaders,
  ociHeaders,
  ovhHeaders,
  sigV4,
  tc3,
} from '../../engine/signatures.ts'

/** The published vectors: https://github.com/mhart/aws4fetch/tree/f279a7e/test/aws-sig-v4-test-suite */
const awsExample = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
}
const awsTimeMs = Date.parse('2015-08-30T12:36:00Z')

test.each([
  ['/', 'GET', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['/?Param2=value2&Param1=value1', 'GET', 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500'],
] as const)('SigV4 matches the published suite: %s', (path, method, signature) => {
  const { authorization } = sigV4(awsExample, { method, url: `https://example.amazonaws.com${path}` }, awsTimeMs)
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  )
})

test('SigV4 signs the session token', () => {
  const sessionToken =
    'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='
  const key = { ...awsExample, sessionToken }
  const { authorization } = sigV4(key, { method: 'POST', url: 'https://example.amazonaws.com/' }, awsTimeMs)
  expect(authorization).toContain(
    'SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  )
})

test('OVHcloud matches the vector of its Go library (ovh/go-ovh ovh_test.go @3557ca4)', () => {
  const key = {
    applicationKey: 'AK',
    applicationSecret: '9ufkBmLaTQ9nz5yMUlg79taH0GNnzDjk',
    consumerKey: '5mBuy6SUQcRw2ZUxg0cG68BoDKpED4KY',
  }
  const request = { method: 'GET', url: 'https://eu.api.ovh.com/1.0/auth' } as const
  expect(ovhHeaders(key, request, 1_457_018_875_999)).toEqual({
    'x-ovh-application': 'AK',
    'x-ovh-consumer': key.consumerKey,
    'x-ovh-timestamp': '1457018875',
    'x-ovh-signature': '$1$e9556054b6309771395efa467c22e627407461ad',
  })
})

test('Alibaba Cloud matches the vector in its RPC documentation', () => {
  const parameters = {
    Action: 'DescribeRegions',
    Format: 'XML',
    Version: '2014-05-26',
    AccessKeyId: 'testid',
    SignatureMethod: 'HMAC-SHA1',
    SignatureVersion: '1.0',
    SignatureNonce: '3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf',
    Timestamp: '2016-02-23T12:46:24Z',
  }
  expect(alibabaRpc('testsecret', 'GET', parameters).Signature).toBe('OLeaidS1JvxuMvnyHOwuJ+uX5qY=')
})

test('percent-encodes the five characters that `encodeURIComponent` leaves, as RFC 3986 requires', () => {
  const { Signature } = alibabaRpc('testsecret', 'GET', { Name: "!'()*" })
  // As in the RPC documentation: the value is encoded, and then the whole query.
  const text = 'GET&%2F&Name%3D%2521%2527%2528%2529%252A'
  expect(Signature).toBe(createHmac('sha1', 'testsecret&').update(text).digest('base64'))
})

test('Tencent Cloud matches the vector of its Node library (TencentCloud/tencentcloud-sdk-nodejs test/common/sign.test.ts @08f1990)', () => {
  const call = {
    secretId: 'test-secret-id',
    secretKey: 'test-secret-key',
    host: 'cvm.tencentcloudapi.com',
    service: 'cvm',
  }
  const body = JSON.stringify({ Action: 'DescribeInstances', Version: '2017-03-12' })
  expect(tc3({ ...call, body }, 1_640_995_200_000)).toEqual({
    'content-type': 'application/json',
    'x-tc-timestamp': '1640995200',
    authorization:
      'TC3-HMAC-SHA256 Credential=test-secret-id/2022-01-01/cvm/tc3_request, SignedHeaders=content-type;host, Signature=96473b50fe407833672a5d6d067238d88bb44c8abcc39ef83baa3132afbfadd3',
  })
})

test('Exoscale matches the vector of its Go library (exoscale/egoscale v2/api/security_test.go @d767924)', () => {
  const { authorization } = exo2('EXO', 'X'.repeat(43), '/v2/zone', 3_376_684_800_000)
  expect(authorization).toBe(
    'EXO2-HMAC-SHA256 credential=EXO,expires=3376684800,signature=Ntbq/p0HVmA3Zg1HHY+Lq1vjFGi7HeMrrgXDS5jRNlY=',
  )
})

test('DNS Made Easy matches the vector in its documentation', () => {
  const secret = 'c9b5625f-9834-4ff8-baba-4ed5f32cae55'
  expect(dnsMadeEasyHeaders('key', secret, Date.parse('Sat, 12 Feb 2011 20:59:04 GMT'))).toEqual({
    'x-dnsme-apikey': 'key',
    'x-dnsme-requestdate': 'Sat, 12 Feb 2011 20:59:04 GMT',
    'x-dnsme-hmac': 'b3502e6116a324f3cf4a8ed693d78bcee8d8fe3c',
  })
})

test('Huawei Cloud matches the vector in its documentation (devg-apisign, api-sign-algorithm-005)', () => {
  const key = { accessKeyId: 'QTWAOYTTINDUT2QVKYUC', secretAccessKey: 'MFyfvK41ba2giqM7Uio6PznpdUKGpownRZlmVmHc' }
  const url =
    'https://service.region.example.com/v1/77b6a44cba5143ab91d13ab9a8ff44fd/vpcs?limit=2&marker=13551d6b-755d-4757-b956-536f674975c0'
  const further = { 'content-type': 'application/json' }
  expect(huaweiHeaders(key, { method: 'GET', url }, Date.parse('2019-11-15T03:36:55Z'), further)).toEqual({
    'content-type': 'application/json',
    'x-sdk-date': '20191115T033655Z',
    authorization:
      'SDK-HMAC-SHA256 Access=QTWAOYTTINDUT2QVKYUC, SignedHeaders=content-type;host;x-sdk-date, Signature=7be6668032f70418fcc22abc52071e57aff61b84a1d2381bb430d6870f4f6ebe',
  })
})

test.each([
  ['/', 'tL+y4hxyHxgWVD30X3pWnGKHcPzmrIF+LThiAOhMxYU='],
  ['/testapi/v1/t1?p1=1&p2=2', 'hKDH1UlnQySSHjvIcZpDMbQHihTQ0XyVAKZaApabdeA='],
])(
  'Akamai matches the vectors of its libraries (akamai/AkamaiOPEN-edgegrid-node test/test_data.json @b187686): %s',
  (path, signature) => {
    const key = {
      clientToken: 'akab-client-token-xxx-xxxxxxxxxxxxxxxx',
      accessToken: 'akab-access-token-xxx-xxxxxxxxxxxxxxxx',
      clientSecret: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=',
    }
    const url = `https://akaa-baseurl-xxxxxxxxxxx-xxxxxxxxxxxxx.luna.akamaiapis.net${path}`
    const nonce = 'nonce-xx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'
    expect(edgeGridHeaders(key, url, { nowMs: Date.parse('2014-03-21T19:34:21Z'), nonce })).toEqual({
      authorization: `EG1-HMAC-SHA256 client_token=${key.clientToken};access_token=${key.accessToken};timestamp=20140321T19:34:21+0000;nonce=${nonce};signature=${signature}`,
    })
  },
)

/** Published with the vector; it is used nowhere. */
const ociTestKey = `-----BEGIN RSA PRIVATE KEY-----
MIICXgIBAAKBgQDCFENGw33yGihy92pDjZQhl0C36rPJj+CvfSC8+q28hxA161QF
NUd13wuCTUcq0Qd2qsBe/2hFyc2DCJJg0h1L78+6Z4UMR7EOcpfdUE9Hf3m/hs+F
UR45uBJeDK1HSFHD8bHKD6kv8FPGfJTotc+2xjJwoYi+1hqp1fIekaxsyQIDAQAB
AoGBAJR8ZkCUvx5kzv+utdl7T5MnordT1TvoXXJGXK7ZZ+UuvMNUCdN2QPc4sBiA
QWvLw1cSKt5DsKZ8UETpYPy8pPYnnDEz2dDYiaew9+xEpubyeW2oH4Zx71wqBtOK
kqwrXa/pzdpiucRRjk6vE6YY7EBBs/g7uanVpGibOVAEsqH1AkEA7DkjVH28WDUg
f1nqvfn2Kj6CT7nIcE3jGJsZZ7zlZmBmHFDONMLUrXR/Zm3pR5m0tCmBqa5RK95u
412jt1dPIwJBANJT3v8pnkth48bQo/fKel6uEYyboRtA5/uHuHkZ6FQF7OUkGogc
mSJluOdc5t6hI1VsLn0QZEjQZMEOWr+wKSMCQQCC4kXJEsHAve77oP6HtG/IiEn7
kpyUXRNvFsDE0czpJJBvL/aRFUJxuRK91jhjC68sA7NsKMGg5OXb5I5Jj36xAkEA
gIT7aFOYBFwGgQAQkWNKLvySgKbAZRTeLBacpHMuQdl1DfdntvAyqpAZ0lY0RKmW
G6aFKaqQfOXKCyWoUiVknQJAXrlgySFci/2ueKlIE1QqIiLSZ8V8OlpFLRnb1pzI
7U1yQXnTAEFYM560yJlzUpOb1V4cScGd365tiSMvxLOvTA==
-----END RSA PRIVATE KEY-----`

test('Oracle Cloud matches the vector of its Go library (oracle/oci-go-sdk common/http_signer_test.go @14aa11a)', () => {
  const keyId =
    'ocid1.tenancy.oc1..aaaaaaaaba3pv6wkcr4jqae5f15p2b2m2yt2j6rx32uzr4h25vqstifsfdsq/ocid1.user.oc1..aaaaaaaat5nvwcna5j6aqzjcaty5eqbb6qt2jvpkanghtgdaqedqw3rynjq/20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34'
  const query =
    'availabilityDomain=Pjwf%3A%20PHX-AD-1&compartmentId=ocid1.compartment.oc1..aaaaaaaam3we6vgnherjq5q2idnccdflvjsnog7mlr6rtdb25gilchfeyjxa&displayName=TeamXInstances&volumeId=ocid1.volume.oc1.phx.abyhqljrgvttnlx73nmrwfaux7kcvzfs3s66izvxf2h4lgvyndsdsnoiwr5q'
  const url = `https://iaas.us-phoenix-1.oraclecloud.com/20160918/instances?${query}`
  // The weekday in the vector is wrong, and is signed as it is.
  const date = 'Thu, 05 Jan 2014 21:31:40 GMT'
  expect(ociHeaders(keyId, createPrivateKey(ociTestKey), url, date)).toEqual({
    date,
    authorization: `Signature version="1",headers="date (request-target) host",keyId="${keyId}",algorithm="rsa-sha256",signature="GBas7grhyrhSKHP6AVIj/h5/Vp8bd/peM79H9Wv8kjoaCivujVXlpbKLjMPeDUhxkFIWtTtLBj3sUzaFj34XE6YZAHc9r2DmE4pMwOAy/kiITcZxa1oHPOeRheC0jP2dqbTll8fmTZVwKZOKHYPtrLJIJQHJjNvxFWeHQjMaR7M="`,
  })
})
