import { createHash, createHmac, type KeyObject, verify } from 'node:crypto'
import type { Sent } from './recording.ts'

/** Verifies signatures, written from the providers' documentation without the engine's code. */

export function isSignedOvh(
  sent: Sent,
  base: string,
  secret: string,
  parts: Readonly<Record<string, string>>,
): boolean {
  const { 'x-ovh-application': application, 'x-ovh-consumer': consumer } = sent.headers
  const [time, signature] = [sent.headers['x-ovh-timestamp'], sent.headers['x-ovh-signature']]
  const signed = `${secret}+${consumer}+${sent.method}+${base}${sent.path}+${sent.body}+${time}`
  const isOfKey = application === parts.applicationKey && consumer === parts.consumerKey
  return isOfKey && signature === `$1$${createHash('sha1').update(signed, 'utf8').digest('hex')}`
}

export function isSignedAlibaba(sent: Sent, secret: string): boolean {
  const form = new URLSearchParams(sent.body)
  const signature = form.get('Signature')
  form.delete('Signature')
  form.sort()
  // Form encoding differs from RFC 3986 in these three characters.
  const query = form.toString().replaceAll('+', '%20').replaceAll('*', '%2A').replaceAll('%7E', '~')
  const text = ['POST', encodeURIComponent('/'), encodeURIComponent(query)].join('&')
  return signature === createHmac('sha1', `${secret}&`).update(text).digest('base64')
}

export function isSignedTc3(sent: Sent, host: string, secretId: string, secretKey: string): boolean {
  const { authorization = '', 'x-tc-timestamp': time } = sent.headers
  const date = new Date(Number(time) * 1_000).toISOString().slice(0, 10)
  const [service = ''] = host.split('.')
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const signed = [
    'POST',
    '/',
    '',
    'content-type:application/json',
    `host:${host}`,
    '',
    'content-type;host',
    hash(sent.body),
  ]
  const text = `TC3-HMAC-SHA256\n${time}\n${date}/${service}/tc3_request\n${hash(signed.join('\n'))}`
  let key: Buffer | string = `TC3${secretKey}`
  for (const step of [date, service, 'tc3_request']) key = createHmac('sha256', key).update(step).digest()
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return authorization.includes(`Credential=${secretId}/`) && authorization.endsWith(`Signature=${signature}`)
}

export function isSignedExo2(sent: Sent, apiKeyId: string, secret: string): boolean {
  const { authorization = '' } = sent.headers
  const [, key, expires, signature] =
    /^EXO2-HMAC-SHA256 credential=(\w+),expires=(\d+),signature=(.+)$/.exec(authorization) ?? []
  const text = [`${sent.method} ${sent.path}`, sent.body, '', '', expires].join('\n')
  return key === apiKeyId && signature === createHmac('sha256', secret).update(text).digest('base64')
}

export function isSignedDnsMadeEasy(sent: Sent, apiKeyId: string, secret: string): boolean {
  const { 'x-dnsme-apikey': key, 'x-dnsme-requestdate': date, 'x-dnsme-hmac': hmac } = sent.headers
  return key === apiKeyId && hmac === createHmac('sha1', secret).update(String(date)).digest('hex')
}

export function isSignedHuawei(sent: Sent, host: string, accessKeyId: string, secret: string): boolean {
  const { authorization = '' } = sent.headers
  const [, id, names = '', signature] =
    /^SDK-HMAC-SHA256 Access=(\w+), SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(authorization) ?? []
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const [path = '', query = ''] = sent.path.split('?')
  // The provider's own host, whatever the simulator's address is.
  const headers = names.split(';').map((name) => `${name}:${name === 'host' ? host : sent.headers[name]}`)
  const call = [sent.method, `${path}/`, query, ...headers, '', names, hash(sent.body)].join('\n')
  const text = ['SDK-HMAC-SHA256', sent.headers['x-sdk-date'], hash(call)].join('\n')
  const isWhole = ['host', 'x-sdk-date'].every((name) => names.split(';').includes(name))
  return isWhole && id === accessKeyId && signature === createHmac('sha256', secret).update(text).digest('hex')
}

export function isSignedEdgeGrid(
  { path, headers: { authorization = '' } }: Sent,
  secret: string,
  parts: Readonly<Record<string, string>>,
): boolean {
  const [, start = '', members = '', signature] =
    /^((?:EG1-HMAC-SHA256) (.+;))signature=([^;]{44})$/.exec(authorization) ?? []
  const found = new Map(members.split(';').map((member) => [member.split('=')[0], member.replace(/^[^=]*=/, '')]))
  const isOfKey = found.get('client_token') === parts.clientToken && found.get('access_token') === parts.accessToken
  const time = found.get('timestamp') ?? ''
  if (!isOfKey || !found.get('nonce') || !/^\d{8}T\d\d:\d\d:\d\d\+0000$/.test(time)) return false
  const mac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64')
  return signature === mac(mac(secret, time), `GET\thttps\t${parts.host}\t${path}\t\t\t${start}`)
}

export function isSignedOci({ path, headers }: Sent, host: string, keyId: string, key: KeyObject): boolean {
  const { authorization = '', date = '' } = headers
  const [, id, signature = ''] =
    /^Signature version="1",headers="date \(request-target\) host",keyId="([^"]+)",algorithm="rsa-sha256",signature="([^"]+)"$/.exec(
      authorization,
    ) ?? []
  const text = [`date: ${date}`, `(request-target): get ${path}`, `host: ${host}`].join('\n')
  return id === keyId && verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

export function isSignedConstellix({ headers, path }: Sent, apiKeyId: string, secret: string): boolean {
  const token = path.startsWith('/v4/') ? headers.authorization : `Bearer ${String(headers['x-cns-security-token'])}`
  const [, key, signature, time = ''] = /^Bearer ([^:]+):([^:]{28}):(\d{13})$/.exec(token ?? '') ?? []
  return key === apiKeyId && signature === createHmac('sha1', secret).update(time, 'ascii').digest('base64')
}

/** HTTP Basic (RFC 7617). */
export function isBasic({ headers: { authorization = '' } }: Sent, user: string, password: string): boolean {
  const [scheme, value = ''] = authorization.split(' ')
  const text = Buffer.from(value, 'base64').toString()
  const colon = text.indexOf(':')
  return scheme === 'Basic' && text.slice(0, colon) === user && text.slice(colon + 1) === password
}

/** Whether a form has exactly these members. */
export function isForm({ headers, body }: Sent, members: Readonly<Record<string, string>>): boolean {
  const isOfType = headers['content-type'] === 'application/x-www-form-urlencoded'
  const sent = Object.fromEntries(new URLSearchParams(body))
  const names = new Set([...Object.keys(sent), ...Object.keys(members)])
  return isOfType && [...names].every((name) => sent[name] === members[name])
}
