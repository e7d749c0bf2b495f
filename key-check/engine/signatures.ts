import { createHash, createHmac, type KeyObject, sign } from 'node:crypto'

import type { Moment } from './provider.ts'

/**
 * Signature schemes, as pure functions from credential, request and time to headers. Each is tested with a vector that the provider
 * publishes.
 */

/** The request as the provider sees it: `url` is the provider's own address, even if the operator configured another. */
interface SignedRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: string
}

interface SigV4Key {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
  readonly region: string
  readonly service: string
}

/** AWS Signature Version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
export function sigV4(key: SigV4Key, { method, url, body = '' }: SignedRequest, nowMs: number): Record<string, string> {
  const { host, pathname, searchParams } = new URL(url)
  const time = basicTime(nowMs)
  const signed = {
    host,
    'x-amz-date': time,
    ...(key.sessionToken !== undefined && { 'x-amz-security-token': key.sessionToken }),
  }
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`)
  const names = Object.keys(signed).join(';')
  const canonical = [method, pathname, sortedQuery(searchParams), lines.join(''), names, sha256Hex(body)].join('\n')
  const scope = `${time.slice(0, 8)}/${key.region}/${key.service}/aws4_request`
  const signingKey = scope.split('/').reduce<Buffer | string>(hmacSha256, `AWS4${key.secretAccessKey}`)
  const signature = hmacSha256(signingKey, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256Hex(canonical)}`).toString(
    'hex',
  )
  const { host: _, ...headers } = signed
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${key.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

interface OvhKey {
  readonly applicationKey: string
  readonly applicationSecret: string
  readonly consumerKey: string
}

/** OVHcloud: https://help.ovhcloud.com/csm/en-gb-api-getting-started-ovhcloud-api. A plain SHA-1 over the parts, not an HMAC. */
export function ovhHeaders(
  key: OvhKey,
  { method, url, body = '' }: SignedRequest,
  nowMs: number,
): Record<string, string> {
  const time = String(Math.floor(nowMs / 1_000))
  const text = [key.applicationSecret, key.consumerKey, method, url, body, time].join('+')
  return {
    'x-ovh-application': key.applicationKey,
    'x-ovh-consumer': key.consumerKey,
    'x-ovh-timestamp': time,
    'x-ovh-signature': `$1$${createHash('sha1').update(text).digest('hex')}`,
  }
}

/** A JSON Web Token signed with RS256 (RFC 7515). */
export function jwtRs256(key: KeyObject, header: object, claims: object): string {
  const text = [{ ...header, alg: 'RS256', typ: 'JWT' }, claims].map(base64urlJson).join('.')
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
}

/**
 * Alibaba Cloud, RPC: https://www.alibabacloud.com/help/en/sdk/product-overview/rpc-mechanism. Returns the parameters with their signature.
 */
export function alibabaRpc(
  secret: string,
  method: SignedRequest['method'],
  parameters: Readonly<Record<string, string>>,
): Record<string, string> {
  const text = `${method}&%2F&${percent(sortedQuery(Object.entries(parameters)))}`
  return { ...parameters, Signature: createHmac('sha1', `${secret}&`).update(text).digest('base64') }
}

interface Tc3Call {
  readonly secretId: string
  readonly secretKey: string
  readonly host: string
  readonly service: string
  readonly body: string
}

/** Tencent Cloud, TC3: https://www.tencentcloud.com/document/api/1278/46715. For a POST of JSON; the content type is signed. */
export function tc3({ secretId, secretKey, host, service, body }: Tc3Call, nowMs: number): Record<string, string> {
  const time = String(Math.floor(nowMs / 1_000))
  const date = new Date(nowMs).toISOString().slice(0, 10)
  const type = 'application/json'
  const canonical = `POST\n/\n\ncontent-type:${type}\nhost:${host}\n\ncontent-type;host\n${sha256Hex(body)}`
  const scope = `${date}/${service}/tc3_request`
  const signingKey = scope.split('/').reduce<Buffer | string>(hmacSha256, `TC3${secretKey}`)
  const signature = hmacSha256(signingKey, `TC3-HMAC-SHA256\n${time}\n${scope}\n${sha256Hex(canonical)}`).toString(
    'hex',
  )
  return {
    'content-type': type,
    'x-tc-timestamp': time,
    authorization: `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`,
  }
}

/** Exoscale, EXO2: https://openapi-v2.exoscale.com/topic/topic-api-request-signature. For a GET without a query; valid for ten minutes. */
export function exo2(apiKeyId: string, secret: string, path: string, expiresMs: number): Record<string, string> {
  const expires = String(Math.floor(expiresMs / 1_000))
  const signature = hmacSha256(secret, `GET ${path}\n\n\n\n${expires}`).toString('base64')
  return { authorization: `EXO2-HMAC-SHA256 credential=${apiKeyId},expires=${expires},signature=${signature}` }
}

/** DNS Made Easy: https://api-docs.dnsmadeeasy.com/. */
export function dnsMadeEasyHeaders(apiKeyId: string, secret: string, nowMs: number): Record<string, string> {
  const date = new Date(nowMs).toUTCString()
  return {
    'x-dnsme-apikey': apiKeyId,
    'x-dnsme-requestdate': date,
    'x-dnsme-hmac': createHmac('sha1', secret).update(date).digest('hex'),
  }
}

/**
 * Huawei Cloud, AK/SK: https://support.huaweicloud.com/intl/en-us/devg-apisign/api-sign-algorithm-005.html. Like SigV4, without a scope and
 * with a path that ends in a slash. `further` are more headers to sign.
 */
export function huaweiHeaders(
  key: { readonly accessKeyId: string; readonly secretAccessKey: string },
  { method, url, body = '' }: SignedRequest,
  nowMs: number,
  further: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { host, pathname, searchParams } = new URL(url)
  const headers = { ...further, 'x-sdk-date': basicTime(nowMs) }
  const signed = Object.entries({ ...headers, host }).sort(([one], [other]) => (one < other ? -1 : 1))
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('')
  const names = signed.map(([name]) => name).join(';')
  const path = pathname.replace(/\/?$/, '/')
  const canonical = [method, path, sortedQuery(searchParams), lines, names, sha256Hex(body)].join('\n')
  const text = `SDK-HMAC-SHA256\n${headers['x-sdk-date']}\n${sha256Hex(canonical)}`
  const signature = hmacSha256(key.secretAccessKey, text).toString('hex')
  return {
    ...headers,
    authorization: `SDK-HMAC-SHA256 Access=${key.accessKeyId}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

interface EdgeGridKey {
  readonly clientToken: string
  readonly accessToken: string
  readonly clientSecret: string
}

/** Akamai EdgeGrid: https://techdocs.akamai.com/developer/docs/edgegrid. For a GET without signed headers. */
export function edgeGridHeaders(key: EdgeGridKey, url: string, moment: Moment): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  // 20140321T19:34:21+0000
  const time = new Date(moment.nowMs)
    .toISOString()
    .replace(/-|\.\d{3}/g, '')
    .replace('Z', '+0000')
  const { clientToken, accessToken } = key
  const members = { client_token: clientToken, access_token: accessToken, timestamp: time, nonce: moment.nonce }
  const unsigned = Object.entries(members).map(([name, value]) => `${name}=${value};`)
  const authorization = `EG1-HMAC-SHA256 ${unsigned.join('')}`
  const signingKey = hmacSha256(key.clientSecret, time).toString('base64')
  const text = ['GET', 'https', host, `${pathname}${search}`, '', '', authorization].join('\t')
  return { authorization: `${authorization}signature=${hmacSha256(signingKey, text).toString('base64')}` }
}

/** Oracle Cloud: https://docs.oracle.com/en-us/iaas/Content/API/Concepts/signingrequests.htm. For a GET. */
export function ociHeaders(keyId: string, key: KeyObject, url: string, date: string): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const text = `date: ${date}\n(request-target): get ${pathname}${search}\nhost: ${host}`
  const members = {
    version: '1',
    headers: 'date (request-target) host',
    keyId,
    algorithm: 'rsa-sha256',
    signature: sign('RSA-SHA256', Buffer.from(text), key).toString('base64'),
  }
  const list = Object.entries(members).map(([name, value]) => `${name}="${value}"`)
  return { date, authorization: `Signature ${list.join(',')}` }
}

/** Constellix: https://api-docs.constellix.com/. The key, the signed time and the time in milliseconds. */
export function constellixToken(apiKeyId: string, secret: string, nowMs: number): string {
  const time = String(nowMs)
  const signature = createHmac('sha1', secret).update(time).digest('base64')
  return [apiKeyId, signature, time].join(':')
}

function base64urlJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function hmacSha256(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** 20150830T123600Z */
function basicTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

function sortedQuery(query: Iterable<[string, string]>): string {
  return [...query]
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .sort()
    .join('&')
}

/** RFC 3986: also encodes the five characters that `encodeURIComponent` leaves. */
function percent(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
