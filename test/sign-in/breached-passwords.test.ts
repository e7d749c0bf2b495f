import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBreachedList } from '../../cli/passwords/build-list.ts'
import { Secret } from '../../src/platform/secret.ts'
import { createRecoveryLink } from '../../src/sign-in/links/recovery-links.ts'
import {
  hasEntry,
  isInBreachedList,
  listMark,
  openBreachedPasswords,
} from '../../src/sign-in/passwords/breached-passwords.ts'
import { noProxies } from '../support/no-proxies.ts'
import type { Service } from '../support/service.ts'
import { newClient, startIssuer } from '../support/test-client.ts'

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
const breached = 'seventeen small turtles'
const seldom = 'a pony in the attic'
const pwned = 'four grey herons in a row'

/** Lines of a file of Pwned Passwords, sorted, with these passwords in them. */
function linesWith(counts: Readonly<Record<string, number>>): string[] {
  const others = Array.from({ length: 3_000 }, (_, n) => `${sha1(`other ${n}`)}:10`)
  return [...others, ...Object.entries(counts).map(([text, count]) => `${sha1(text)}:${count}`)].sort()
}

let folder: string
let ranges: Server
let service: Service
const asked: { url: string | undefined; padding: string | string[] | undefined }[] = []
let rangeStatus = 200
const source = () => join(folder, 'pwned.txt')
const list = () => join(folder, 'breached.bin')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'breached-'))
  writeFileSync(source(), `${linesWith({ [breached]: 10, [seldom]: 9 }).join('\r\n')}\r\n`)
  await buildBreachedList(source(), { minCount: 10, out: list() })
  ranges = createServer((request, response) => {
    asked.push({ url: request.url, padding: request.headers['add-padding'] })
    const lines = [`${sha1(seldom).slice(5)}:0`, `${sha1(pwned).slice(5)}:4`, `${'0'.repeat(35)}:0`]
    response.writeHead(rangeStatus).end(lines.join('\r\n'))
  })
  await new Promise<void>((done) => ranges.listen(0, '127.0.0.1', done))
  const { port } = ranges.address() as AddressInfo // a server that listens on a port
  service = await startIssuer({
    env: {
      MUSTER_SIGN_UP: 'open',
      MUSTER_BREACHED_PASSWORDS: list(),
      MUSTER_PWNED_PASSWORDS_URL: `http://127.0.0.1:${port}/range`,
      MUSTER_METRICS_TOKEN: 'a-token-for-metrics',
    },
  })
})
afterAll(async () => {
  await service?.stop()
  ranges?.close()
  rmSync(folder, { recursive: true, force: true })
})

let people = 0
function signUp(password: string) {
  people += 1
  return newClient(service).post('/auth/sign-up', { email: `person${people}@example.com`, password })
}

const refusal = (pointer: string) => ({
  code: 'input_invalid',
  errors: [
    {
      pointer,
      detail: expect.stringMatching(/^was found in a breach of another service; four or more unrelated words/),
    },
  ],
})

test('400 input_invalid for a breached password at sign-up, password change and recovery, without an external lookup', async () => {
  const person = await service.person()
  const { link } = await service.database.transaction((rows) =>
    createRecoveryLink(rows, 'http://muster.test/auth/link', {
      accountId: person.id,
      resetsFactors: false,
      lifeSeconds: 60,
    }),
  )
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
  const change = { currentPassword: person.password, newPassword: breached }
  const before = asked.length
  expect((await signUp(breached)).body).toMatchObject(refusal('/password'))
  const changed = await newClient(service).send('PUT', '/auth/password', { token: person.token, body: change })
  expect(changed.body).toMatchObject(refusal('/newPassword'))
  const recovered = await newClient(service).post('/auth/recovery/complete', { token, newPassword: breached })
  expect(recovered.body).toMatchObject(refusal('/newPassword'))
  expect(asked).toHaveLength(before)
})

test('sends five digits with padding to the range API, ignores padding lines, and accepts and counts passwords if it fails', async () => {
  asked.length = 0
  expect((await signUp(pwned)).body).toMatchObject(refusal('/password'))
  expect(asked).toEqual([{ url: `/range/${sha1(pwned).slice(0, 5)}`, padding: 'true' }])
  expect((await signUp(seldom)).status).toBe(201)
  rangeStatus = 503
  expect((await signUp(pwned)).status).toBe(201)
  rangeStatus = 200
  const { text } = await service.get('/metrics', { token: 'a-token-for-metrics' })
  for (const [outcome, count] of Object.entries({ breached: 1, not_breached: 1, failed: 1 }))
    expect(text).toContain(`muster_pwned_passwords_asked_total{outcome="${outcome}"} ${count}`)
  expect(await service.logged()).not.toContain(pwned)
})

test('the list contains the passwords seen often enough, each as 8 bytes', async () => {
  expect(statSync(list()).size).toBe(listMark.length + 3_001 * 8)
  expect(await isInBreachedList(list(), new Secret(breached))).toBe(true)
  expect(await isInBreachedList(list(), new Secret(seldom))).toBe(false)
  for (let n = 0; n < 3_000; n += 149) {
    expect(await isInBreachedList(list(), new Secret(`other ${n}`)), `other ${n}`).toBe(true)
    expect(await isInBreachedList(list(), new Secret(`another ${n}`)), `another ${n}`).toBe(false)
  }
})

test('a search in a million entries needs at most twelve reads of at most 4 KiB', async () => {
  const bytesOf = (number: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(number))
    return bytes
  }
  const entryAt = (place: number) => bytesOf(place * 10 + 5)
  const between = (place: number) => bytesOf(place * 10)
  let reads: number[] = []
  const entries = {
    count: 1_000_000,
    read: async (from: number, count: number) => {
      reads.push(count)
      return Buffer.concat(Array.from({ length: count }, (_, n) => entryAt(from + n)))
    },
  }
  const places = [0, 1, 511, 512, 999_998, 999_999, ...Array.from({ length: 60 }, (_, n) => n * 16_661)]
  for (const place of places) {
    reads = []
    expect(await hasEntry(entries, entryAt(place)), `${place}`).toBe(true)
    expect(await hasEntry(entries, between(place)), `before ${place}`).toBe(false)
    expect(reads.length).toBeLessThanOrEqual(2 * 12)
    expect(Math.max(...reads)).toBeLessThanOrEqual(512)
  }
  expect(await hasEntry({ ...entries, count: 0 }, entryAt(1))).toBe(false)
})

test('build-list rejects an unsorted or malformed file and keeps the existing list', async () => {
  const before = readFileSync(list())
  const faults = [
    [`${sha1('b')}:10\n${sha1('a')}:10\n`.replace(/^/, `${'F'.repeat(40)}:10\n`), /^Line 2 of .* is out of order/],
    [
      `${sha1('a')}:10\n8846F7EAEE8FB117AD06BDD830B7586C:10\n`,
      /^Line 2 of .* does not have the form <SHA-1>:<count>\.$/,
    ],
    ['\0'.repeat(400_000), /^Line 1 of /],
  ] as const
  for (const [text, message] of faults) {
    const path = join(folder, 'faulty.txt')
    writeFileSync(path, text)
    await expect(buildBreachedList(path, { minCount: 10, out: list() })).rejects.toThrow(message)
  }
  expect(readFileSync(list()).equals(before)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('the start fails if the list is invalid or missing', async () => {
  const log = { warn: () => undefined }
  for (const path of [source(), join(folder, 'nowhere')])
    await expect(
      openBreachedPasswords({ breachedPasswords: path, pwnedPasswordsUrl: undefined }, { proxies: noProxies, log }),
    ).rejects.toThrow(/^MUSTER_BREACHED_PASSWORDS: .*(was not written by muster passwords build-list|cannot be read)/)
})
