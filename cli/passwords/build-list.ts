import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { entryBytes, listMark } from '../../src/sign-in/passwords/breached-passwords.ts'
import { writeDraft } from '../draft-file.ts'
import { Fault } from '../errors.ts'
import { numbers, withProgress } from '../progress.ts'

interface BuildListOptions {
  readonly minCount: number
  readonly out: string
}

/**
 * `muster passwords build-list`: keeps the first bytes of each hash of a sorted file. Reads and writes in pieces. Replaces an older list
 * when the new one is complete.
 */
export async function buildBreachedList(path: string, { minCount, out }: BuildListOptions): Promise<void> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Fault(`Cannot read ${path}: ${error.message}`)
  })
  const counts = { read: 0, written: 0 }
  await withProgress(
    ['Passwords', Math.ceil(size / mebibyte), 'MiB'],
    async ({ advance }) => {
      const pieces = piecesOf(path, { minCount, counts, onBytes: (bytes) => advance(bytes / mebibyte) })
      // The service may run as another user.
      await writeDraft(out, { mayReplace: true, mode: 0o644 }, async (file) => {
        for await (const piece of pieces) await file.write(piece)
      })
    },
    () => `Wrote ${numbers.format(counts.written)} of ${numbers.format(counts.read)} passwords to ${out}.`,
  )
}

const mebibyte = 2 ** 20

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
      if (hash === undefined) throw new Fault(`Line ${counts.read} of ${path} does not have the form <SHA-1>:<count>.`)
      const entry = Buffer.from(hash.slice(0, entryBytes * 2), 'hex')
      if (entry.compare(last) < 0)
        throw new Fault(`Line ${counts.read} of ${path} is out of order. Sort the file by hash with LC_ALL=C sort.`)
      if (Number(count) < minCount || entry.equals(last)) continue
      entries.push(entry)
      last = entry
    }
    counts.written += entries.length
    yield Buffer.concat(entries)
  }
}

const lineForm = /^([0-9A-Fa-f]{40}):(\d{1,15})\r?$/

/** Yields the lines of each piece. Text that is longer than any valid line counts as a line, so that no file fills the memory. */
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
