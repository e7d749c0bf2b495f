import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The expected result of importing the file. */
export interface Expected {
  readonly lines: number
  /** Valid users, each once. */
  readonly good: number
  /** The sum of `personSum` over them. */
  readonly sum: bigint
  readonly bad: readonly { readonly line: number; readonly reason: string }[]
}

interface Person {
  readonly id: string
  readonly email?: string
  readonly createdAt: string
  readonly status?: 'disabled'
  readonly role?: string
  readonly passwordHash?: string
}

/**
 * Writes `lines` lines in Muster's own format, one in a hundred invalid, and some repeated. Every call writes the same lines, so that
 * results are comparable.
 */
export async function writeImportFile(path: string, lines: number): Promise<Expected> {
  const bad: Expected['bad'][number][] = []
  let [good, sum] = [0, 0n]
  function* text(): Generator<Buffer> {
    let pieces: Buffer[] = []
    for (let line = 1; line <= lines; line += 1) {
      const kind = kindOf(line)
      if (kind) {
        bad.push({ line, reason: kind.reason })
        pieces.push(kind.write(line), newline)
      } else {
        // Every thousandth line repeats the previous user: the import skips it and does not reject it.
        const isRepeated = line % 1_000 === 2
        const person = personOf(isRepeated ? line - 1 : line)
        if (!isRepeated) {
          good += 1
          sum += personSum(person)
        }
        pieces.push(Buffer.from(JSON.stringify(person)), newline)
      }
      if (pieces.length < 2_000) continue
      yield Buffer.concat(pieces)
      pieces = []
    }
    yield Buffer.concat(pieces)
  }
  await pipeline(Readable.from(text()), createWriteStream(path))
  return { lines, good, sum, bad }
}

const newline = Buffer.from('\n')

/** In a format that the import keeps unchanged. */
const passwordHash = `$2b$10$${'abcdefghijklmnopqrstuv'}${'0123456789012345678901234567890'}`

function personOf(line: number): Person {
  return {
    id: `person-${line}`,
    ...(line % 50 !== 3 && { email: `Given.Family${line}@host${line % 97}.example` }),
    createdAt: new Date(Date.UTC(2022, 0, 1) + line * 60_007).toISOString(),
    ...(line % 40 === 5 && { status: 'disabled' }),
    ...(line % 10_000 === 7 && { role: 'admin' }),
    ...(line % 5 === 1 && { passwordHash }),
  }
}

/** 48 bits of a hash of every imported value. `importedState` computes the same from the rows. */
function personSum({ id, email = '', createdAt, status, role = 'user', passwordHash: hash = '' }: Person): bigint {
  const text = [id, email, role, String(Date.parse(createdAt)), String(status === 'disabled'), hash].join('\x1f')
  return BigInt(`0x${createHash('md5').update(text).digest('hex').slice(0, 12)}`)
}

interface BadKind {
  readonly reason: string
  readonly write: (line: number) => Buffer
}

/** Only one line is too long: it has a megabyte. */
function kindOf(line: number): BadKind | undefined {
  if (line === 150) return tooLong
  return line % 100 === 50 ? badKinds[Math.floor(line / 100) % badKinds.length] : undefined
}

const tooLong: BadKind = {
  reason: 'the line is too long',
  write: (line) => json({ id: `bad-${line}`, ballast: 'x'.repeat(1_000_001) }),
}

const badKinds: readonly BadKind[] = [
  {
    reason: 'the line is not JSON of at most 32 levels',
    write: (line) => Buffer.from(`{"id": "torn-${line}", "email": "torn`),
  },
  { reason: 'the line is not a JSON object', write: (line) => Buffer.from(`["person-${line}"]`) },
  { reason: 'the line is not UTF-8', write: () => Buffer.from([0x7b, 0xff, 0x7d]) },
  {
    reason: 'the ID is missing or longer than 255 characters',
    write: (line) => json({ email: `without-id${line}@host.example` }),
  },
  {
    reason: '"no address" is not an email address',
    write: (line) => json({ id: `bad-${line}`, email: 'no address' }),
  },
  { reason: 'there is no role "emperor"', write: (line) => json({ id: `bad-${line}`, role: 'emperor' }) },
  { reason: 'the creation time is unreadable', write: (line) => json({ id: `bad-${line}`, createdAt: 'once' }) },
  {
    reason: 'the password hash has an unknown format',
    write: (line) => json({ id: `bad-${line}`, email: `bad${line}@host.example`, passwordHash: 'md5:abc' }),
  },
  {
    // The email of an earlier user, who signs in with it, in upper case.
    reason: 'another user already signs in with this email',
    write: (line) => json({ id: `bad-${line}`, email: personOf(line - 49).email?.toUpperCase(), passwordHash }),
  },
]

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}
