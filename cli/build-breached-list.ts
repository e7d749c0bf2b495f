import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { entryBytes, listMark } from '../src/sign-in/passwords/breached-list.ts'
import { Fault } from './fault.ts'
import { startProgress } from './progress.ts'

export interface BuildListOptions {
  readonly minCount: number
  readonly out: string
}

/**
 * The work of `muster passwords build-list`: of each line `<SHA-1>:<count>` of a file that is sorted by hash, the first bytes of the hash.
 * Reads and writes a piece at a time. The list takes the place of an older one when it is complete.
 */
export async function buildBreachedList(path: string, { minCount, out }: BuildListOptions): Promise<void> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Fault(`${path} cannot be read: ${error.message}`)
  })
  const progress = startProgress('Passwords', Math.ceil(size / mebibyte), 'MiB')
  const part = `${out}.part`
  const counts = { read: 0, written: 0 }
  try {
    const pieces = piecesOf(path, { minCount, counts, onBytes: mebibytes((count) => progress.advance(count)) })
    // Open before anything is read: a stream that opens it itself can still create it after a fault, when it has been deleted.
    const file = await open(part, 'w')
    await pipeline(Readable.from(pieces), file.createWriteStream())
    await rename(part, out)
  } catch (error) {
    progress.failed()
    await rm(part, { force: true })
    throw error
  }
  const { read, written } = counts
  progress.done(`${out}: ${numbers.format(written)} of ${numbers.format(read)} passwords.`)
}

const mebibyte = 2 ** 20
const numbers = new Intl.NumberFormat('en')

interface Reading {
  readonly minCount: number
  readonly counts: { read: number; written: number }
  readonly onBytes: (bytes: number) => void
}

async function* piecesOf(path: string, { minCount, counts, onBytes }: Reading): AsyncGenerator<Buffer> {
  yield listMark
  let last = Buffer.alloc(0)
  for await (const lines of linesOf(path, onBytes)) {
    const entries: Buffer[] = []
    for (const line of lines) {
      counts.read += 1
      const [, hash, count] = lineForm.exec(line) ?? []
      if (hash === undefined) throw new Fault(`Line ${counts.read} of ${path} is not <SHA-1>:<count>.`)
      const entry = Buffer.from(hash.slice(0, entryBytes * 2), 'hex')
      if (entry.compare(last) < 0)
        throw new Fault(`Line ${counts.read} of ${path} is out of order: sort it by hash, with LC_ALL=C sort.`)
      if (Number(count) < minCount || entry.equals(last)) continue
      entries.push(entry)
      last = entry
    }
    counts.written += entries.length
    yield Buffer.concat(entries)
  }
}

const lineForm = /^([0-9A-Fa-f]{40}):(\d{1,15})\r?$/

/** Of each piece that is read. What is longer than any line counts as one, so that no other file fills the memory. */
async function* linesOf(path: string, onBytes: Reading['onBytes']): AsyncGenerator<readonly string[]> {
  let rest = ''
  for await (const piece of createReadStream(path, { encoding: 'latin1', highWaterMark: 262_144 })) {
    onBytes(piece.length)
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    yield rest.length > 100 ? [...lines, rest] : lines
  }
  if (rest !== '') yield [rest]
}

/** Counts in whole mebibytes. */
function mebibytes(advance: (count: number) => void): (bytes: number) => void {
  let rest = 0
  return (bytes) => {
    rest += bytes
    const whole = Math.floor(rest / mebibyte)
    rest -= whole * mebibyte
    if (whole > 0) advance(whole)
  }
}
