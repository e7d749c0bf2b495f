import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Logger } from 'pino'
import { Agent, request } from 'undici'
import type { Secret } from '../../platform/secret.ts'
import { StartError } from '../../platform/start-error.ts'

/** Passwords that others have used and lost: attackers try them everywhere (ASVS 6.2.12). */
export interface BreachedPasswords {
  has(password: Secret): Promise<boolean>
  /** Questions to another service since the start, by how they ended. */
  readonly lookups: Readonly<Record<'breached' | 'not_breached' | 'failed', number>>
}

export interface BreachedPasswordsSettings {
  /** A file of `muster passwords build-list`. */
  readonly breachedPasswords: string | undefined
  /** A service that answers as Pwned Passwords does. */
  readonly pwnedPasswordsUrl: string | undefined
}

/** Without a list and an address, no password counts as breached. Throws `StartError` for a file that is no list. */
export async function openBreachedPasswords(
  { breachedPasswords: path, pwnedPasswordsUrl: url }: BreachedPasswordsSettings,
  log: Pick<Logger, 'warn'>,
): Promise<BreachedPasswords> {
  const fault = path === undefined ? undefined : await breachedListFault(path)
  if (fault !== undefined) throw new StartError(`MUSTER_BREACHED_PASSWORDS: ${path} ${fault}.`)
  const asked = { breached: 0, not_breached: 0, failed: 0 }

  /** No answer is no reason to refuse a password: the rules that need no network have accepted it. */
  async function ask(address: string, password: Secret): Promise<boolean> {
    try {
      const isBreached = await isInPwnedPasswords(address, password)
      asked[isBreached ? 'breached' : 'not_breached'] += 1
      return isBreached
    } catch (err) {
      asked.failed += 1
      log.warn({ err }, 'MUSTER_PWNED_PASSWORDS_URL did not answer: a new password was not looked up')
      return false
    }
  }

  return {
    lookups: asked,
    async has(password) {
      if (path !== undefined && (await isInBreachedList(path, password))) return true
      return url !== undefined && (await ask(url, password))
    },
  }
}

/** A sign-up waits no longer for another service. */
const timeoutMs = 1_000
/** Ranges have some 1,000 lines of 40 characters, with the padding twice as many. */
const responseBytesMax = 1_048_576

const dispatcher = new Agent({ allowH2: false, pipelining: 1, maxHeaderSize: 16_384, connect: { timeout: timeoutMs } })

/**
 * Asks a service that answers as Pwned Passwords does, which is sent five hexadecimal digits of the SHA-1 and answers the rest of all hashes
 * that begin so. The padding hides from the network how many these are. Rejects where there is no answer within a second.
 */
async function isInPwnedPasswords(url: string, password: Secret): Promise<boolean> {
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

/**
 * The file of `muster passwords build-list`: this mark, and then the first 8 bytes of the SHA-1 of each breached password, in ascending
 * order. Of a thousand million entries, one in 18 thousand million other passwords has one of these by chance.
 */
export const listMark = Buffer.from('MUSTER BREACHED1')
export const entryBytes = 8

/** So many entries, 4 KiB, are read at once when the search has come near enough. */
const blockEntries = 512

/** Where a search reads. The entries are in ascending order. */
interface SortedEntries {
  readonly count: number
  read(from: number, entries: number): Promise<Buffer>
}

/** Returns what is wrong with a file that should be a list, or `undefined`. */
export async function breachedListFault(path: string): Promise<string | undefined> {
  try {
    return await withFile(path, async (file) => {
      const { buffer } = await file.read(Buffer.alloc(listMark.length), 0, listMark.length, 0)
      const { size } = await file.stat()
      const isList = buffer.equals(listMark) && (size - listMark.length) % entryBytes === 0
      return isList ? undefined : 'is not a list of muster passwords build-list'
    })
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Opened for each search, which is rare: a new list can take the place of the old one at any time. Little of it is read. */
export async function isInBreachedList(path: string, password: Secret): Promise<boolean> {
  const wanted = sha1Of(password).subarray(0, entryBytes)
  return withFile(path, async (file) => {
    const { size } = await file.stat()
    const count = Math.floor((size - listMark.length) / entryBytes)
    return hasEntry({ count, read: (from, entries) => readEntries(file, from, entries) }, wanted)
  })
}

/** SHA-1 is how lists of breached passwords name them; nothing is stored so. */
export function sha1Of(password: Secret): Buffer {
  return createHash('sha1').update(password.open().normalize('NFC')).digest()
}

export async function hasEntry({ count, read }: SortedEntries, wanted: Buffer): Promise<boolean> {
  let low = 0
  let high = count
  while (high - low > blockEntries) {
    const middle = Math.floor((low + high) / 2)
    if (wanted.compare(await read(middle, 1)) < 0) high = middle
    else low = middle
  }
  const block = await read(low, high - low)
  for (let at = 0; at < block.length; at += entryBytes)
    if (wanted.equals(block.subarray(at, at + entryBytes))) return true
  return false
}

async function readEntries(file: FileHandle, from: number, entries: number): Promise<Buffer> {
  const length = entries * entryBytes
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, listMark.length + from * entryBytes)
  if (bytesRead < length) throw new Error('The list of breached passwords became shorter while it was read.')
  return buffer
}

async function withFile<Result>(path: string, work: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
