import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { errorCode } from '../../error-code.ts'
import type { Secret } from '../../secret.ts'
import { StartError } from '../../start-error.ts'
import { decrypted, encrypted, encryptedPlace } from './encrypted-file.ts'
import { damaged, type Manifest, readManifest } from './manifest.ts'

/**
 * A backup is a gzip file of text. The manifest is its first line. Then, for each table of the manifest, come its rows in the text format
 * of COPY and the line `\.`, which cannot be a row. The last line is `sha256 ` and the hash of everything before it.
 */
const endOfRows = Buffer.from('\\.\n')
const newline = 0x0a
const chunkBytes = 262_144
/** The manifest, or one row: far more than Muster stores in one. */
const lineBytesMax = 268_435_456

/**
 * Writes and flushes a new file that only its owner may read. Holds a few chunks in memory. The file is open before anything is read:
 * a stream that opens it itself can still create it after a failure, when the caller has deleted it.
 */
export async function writeBackupFile(
  path: string,
  content: AsyncIterable<Buffer>,
  passphrase: Secret | undefined,
): Promise<void> {
  const file = await open(path, 'w', 0o600)
  const gzip = createGzip({ chunkSize: chunkBytes })
  const target = file.createWriteStream({ flush: true })
  if (passphrase) await pipeline(Readable.from(withHash(content)), gzip, encrypted(passphrase), target)
  else await pipeline(Readable.from(withHash(content)), gzip, target)
}

/** The line of the manifest, and the line that ends the rows of a table. */
export const lines = {
  manifest: (manifest: Manifest) => Buffer.from(`${JSON.stringify(manifest)}\n`),
  endOfRows,
}

async function* withHash(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  const hash = createHash('sha256')
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
  yield Buffer.from(lastLine(hash.digest('hex')))
}

const lastLine = (sha256: string) => `sha256 ${sha256}\n`

/** An open backup. Its parts are read in their order: the manifest is read already, then each table's rows, then the end. */
export interface BackupReader {
  readonly manifest: Manifest
  /** Whole rows of the next table, in pieces. */
  rows(): AsyncGenerator<Buffer, void, void>
  /** Throws where the content is not what was written. */
  verifyEnd(): Promise<void>
  close(): void
}

/** Every fault of the file is a `StartError`, also from the parts of the reader. */
export async function openBackupFile(path: string, passphrase?: Secret): Promise<BackupReader> {
  const content = await openContent(path, passphrase)
  const hash = createHash('sha256')

  function takeHashed(bytes: number): Buffer {
    const taken = content.take(bytes)
    hash.update(taken)
    return taken
  }
  async function firstLine(): Promise<Manifest> {
    try {
      return readManifest(takeHashed(await content.lineBytes()).toString(), path)
    } catch (error) {
      content.close()
      throw error
    }
  }

  return {
    manifest: await firstLine(),
    async *rows() {
      // Only whole rows are taken, so that the rest always begins with a row or with the end.
      for (;;) {
        const rest = content.rest()
        const startsWithEnd = rest.subarray(0, endOfRows.length).equals(endOfRows)
        const endAt = startsWithEnd ? 0 : rest.indexOf(`\n${endOfRows}`) + 1
        if (endAt > 0) yield takeHashed(endAt)
        if (startsWithEnd || endAt > 0) {
          takeHashed(endOfRows.length)
          return
        }
        const wholeRows = rest.lastIndexOf(newline) + 1
        if (wholeRows > 0) yield takeHashed(wholeRows)
        await content.needMore()
      }
    },
    async verifyEnd() {
      const expected = lastLine(hash.digest('hex'))
      const found = content.take(await content.lineBytes()).toString()
      if (found !== expected || !(await content.isAtEnd())) throw damaged(path)
    },
    close: content.close,
  }
}

/** The text inside the gzip file, read piece by piece. */
interface Content {
  /** What was read and not taken yet. */
  rest(): Buffer
  take(bytes: number): Buffer
  needMore(): Promise<void>
  /** The length of the next line, with its end. */
  lineBytes(): Promise<number>
  isAtEnd(): Promise<boolean>
  close(): void
}

async function openContent(path: string, passphrase: Secret | undefined): Promise<Content> {
  const place = await encryptedPlace(path)
  if (place && !passphrase)
    throw new StartError(`${path} is encrypted: name the file with its passphrase (--passphrase-file).`)
  const file = createReadStream(path, place?.range)
  const content = createGunzip({ chunkSize: chunkBytes })
  // The reader meets the error.
  if (place && passphrase)
    pipeline(file, await decrypted(place, path, passphrase), content).catch((error: unknown) => {
      content.destroy(error instanceof Error ? error : undefined)
    })
  else pipeline(file, content).catch(() => undefined)
  const chunks: AsyncIterator<Buffer> = content[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function readMore(): Promise<boolean> {
    const { value, done } = await chunks.next().catch((cause: unknown) => {
      if (cause instanceof StartError) throw cause
      const code = errorCode(cause)
      if (code?.startsWith('Z_')) throw damaged(path, cause)
      throw new StartError(`${path} cannot be read (${code}).`, { cause })
    })
    if (!done) rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return !done
  }
  async function needMore(): Promise<void> {
    if (rest.length > lineBytesMax || !(await readMore())) throw damaged(path)
  }

  return {
    rest: () => rest,
    take(bytes) {
      const taken = rest.subarray(0, bytes)
      rest = rest.subarray(bytes)
      return taken
    },
    needMore,
    async lineBytes() {
      for (;;) {
        const at = rest.indexOf(newline)
        if (at >= 0) return at + 1
        await needMore()
      }
    },
    isAtEnd: async () => rest.length === 0 && !(await readMore()),
    close() {
      file.destroy()
      content.destroy()
    },
  }
}

/** Rows in a piece: a row's own line breaks are escaped. */
export function countRows(piece: Buffer): number {
  let count = 0
  for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) count += 1
  return count
}
