import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Counter, type Registry } from '@prometheus-io/client'
import type { Logger } from 'pino'
import { Agent, type Dispatcher, request } from 'undici'
import type { Proxies } from '../../platform/outgoing/proxies.ts'
import { outgoingConnector } from '../../platform/outgoing/tunnel.ts'
import type { Secret } from '../../platform/secret.ts'
import { StartError } from '../../platform/start-error.ts'

/** Passwords from breaches of other services, which attackers try everywhere (ASVS 6.2.12). */
export interface BreachedPasswords {
  has(password: Secret): Promise<boolean>
  /** Lookups at the external service since the start, by outcome. */
  readonly lookups: Readonly<Record<'breached' | 'not_breached' | 'failed', number>>
}

export interface BreachedPasswordsSettings {
  /** A file written by `muster passwords build-list`. */
  readonly breachedPasswords: string | undefined
  /** A service with the API of Pwned Passwords. */
  readonly pwnedPasswordsUrl: string | undefined
}

interface BreachedPasswordsOptions {
  readonly proxies: Proxies
  readonly log: Pick<Logger, 'warn'>
}

/** Without a list and a URL, no password counts as breached. Throws `StartError` if the file is not a valid list. */
export async function openBreachedPasswords(
  { breachedPasswords: path, pwnedPasswordsUrl: url }: BreachedPasswordsSettings,
  { proxies, log }: BreachedPasswordsOptions,
): Promise<BreachedPasswords> {
  const fault = path === undefined ? undefined : await breachedListFault(path)
  if (fault !== undefined) throw new StartError(`MUSTER_BREACHED_PASSWORDS: ${path} ${fault}.`)
  const dispatcher = openDispatcher(proxies)
  const lookups = { breached: 0, not_breached: 0, failed: 0 }

  /** A failed lookup accepts the password, because it already passes the rules that need no network. */
  async function ask(address: string, password: Secret): Promise<boolean> {
    try {
      const isBreached = await isInPwnedPasswords(address, password, dispatcher)
      lookups[isBreached ? 'breached' : 'not_breached'] += 1
      return isBreached
    } catch (err) {
      lookups.failed += 1
      log.warn({ err }, 'lookup at MUSTER_PWNED_PASSWORDS_URL failed: a new password was accepted without it')
      return false
    }
  }

  return {
    lookups,
    async has(password) {
      if (path !== undefined && (await isInBreachedList(path, password))) return true
      return url !== undefined && (await ask(url, password))
    },
  }
}

/** The longest time that a sign-up waits for the external service. */
const timeoutMs = 1_000
/** A range has about 1,000 lines of 40 characters, twice as many with padding. */
const responseBytesMax = 1_048_576

function openDispatcher(proxies: Proxies): Dispatcher {
  const connect = outgoingConnector(proxies, { timeoutMs })
  return new Agent({ allowH2: false, pipelining: 1, maxHeaderSize: 16_384, connect })
}

/**
 * Looks up a password at a service with the API of Pwned Passwords: sends five hexadecimal digits of its SHA-1 and
 * receives the rest of all hashes with this prefix. Padding hides their number from the network. Rejects if there is no
 * response within a second.
 */
async function isInPwnedPasswords(url: string, password: Secret, dispatcher: Dispatcher): Promise<boolean> {
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

/** Padding lines have a count of 0. */
function isBreach(line: string, rest: string): boolean {
  return line.toUpperCase().startsWith(`${rest}:`) && Number(line.slice(rest.length + 1)) > 0
}

/**
 * Start of a file written by `muster passwords build-list`. After it come the first 8 bytes of the SHA-1 of each
 * breached password, in ascending order. With 10⁹ entries, about one in 18 × 10⁹ other passwords matches an entry by
 * chance.
 */
export const listMark = Buffer.from('MUSTER BREACHED1')
export const entryBytes = 8

/** The search ends by reading this many entries (4 KiB) at once. */
const blockEntries = 512

/** Entries in ascending order. */
interface SortedEntries {
  readonly count: number
  read(from: number, entries: number): Promise<Buffer>
}

/** Returns why a file is not a valid list, or `undefined`. */
async function breachedListFault(path: string): Promise<string | undefined> {
  try {
    return await withFile(path, async (file) => {
      const { buffer } = await file.read(Buffer.alloc(listMark.length), 0, listMark.length, 0)
      const { size } = await file.stat()
      const isList = buffer.equals(listMark) && (size - listMark.length) % entryBytes === 0
      return isList ? undefined : 'was not written by muster passwords build-list'
    })
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Opens the file for each of these rare searches, so that it can be replaced at any time. Reads little of it. */
export async function isInBreachedList(path: string, password: Secret): Promise<boolean> {
  const wanted = sha1Of(password).subarray(0, entryBytes)
  return withFile(path, async (file) => {
    const { size } = await file.stat()
    const count = Math.floor((size - listMark.length) / entryBytes)
    return hasEntry({ count, read: (from, entries) => readEntries(file, from, entries) }, wanted)
  })
}

/** SHA-1 is the format of breach lists. Muster stores no password this way. */
function sha1Of(password: Secret): Buffer {
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
  if (bytesRead < length) throw new Error('The list of breached passwords was truncated while it was read.')
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

/** Counts lookups at the external service by this process. Lookups in the file are not counted. */
export function registerBreachedPasswords(registry: Registry, { lookups }: BreachedPasswords): void {
  new Counter({
    name: 'muster_pwned_passwords_asked_total',
    help: 'Lookups of new passwords at MUSTER_PWNED_PASSWORDS_URL, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(lookups)) this.inc({ outcome }, count)
    },
  })
}
