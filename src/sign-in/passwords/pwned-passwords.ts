import { Agent, request } from 'undici'
import type { Secret } from '../../platform/secret.ts'
import { sha1Of } from './breached-list.ts'

/** A sign-up waits no longer for another service. */
const timeoutMs = 1_000
/** Ranges have some 1,000 lines of 40 characters, with the padding twice as many. */
const responseBytesMax = 1_048_576

const dispatcher = new Agent({ allowH2: false, pipelining: 1, maxHeaderSize: 16_384, connect: { timeout: timeoutMs } })

/**
 * Asks a service that answers as Pwned Passwords does, which is sent five hexadecimal digits of the SHA-1 and answers the rest of all hashes
 * that begin so. The padding hides from the network how many these are. Rejects where there is no answer within a second.
 */
export async function isInPwnedPasswords(url: string, password: Secret): Promise<boolean> {
  const hash = sha1Of(password).toString('hex').toUpperCase()
  const { statusCode, body } = await request(`${url}/${hash.slice(0, 5)}`, {
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
    reset: true, // new passwords are rare: a kept-alive connection would only keep the process running
    headers: { 'add-padding': 'true', 'accept-encoding': 'identity', 'user-agent': 'muster/1' },
  })
  if (statusCode !== 200) {
    body.on('error', () => undefined).destroy()
    throw new Error(`the status is ${statusCode}`)
  }
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > responseBytesMax) throw new Error(`the response is longer than ${responseBytesMax} bytes`)
    parts.push(part)
  }
  const lines = Buffer.concat(parts).toString('latin1').split(/\r?\n/)
  return lines.some((line) => isBreach(line, hash.slice(5)))
}

/** A line of padding has the count 0. */
function isBreach(line: string, rest: string): boolean {
  return line.toUpperCase().startsWith(`${rest}:`) && Number(line.slice(rest.length + 1)) > 0
}
