import { createHash, createHmac } from 'node:crypto'

/**
 * Signature schemes, as pure functions of credential, request and moment to headers. Each is held to a vector that its
 * provider publishes.
 */

/** The request as the provider gets it: `url` is its own address, also where the operator has configured another one. */
export interface SignedRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: string
}

export interface SigV4Key {
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

function sortedQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .sort()
    .join('&')
}

/** RFC 3986: also the five characters that `encodeURIComponent` leaves. */
function percent(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
