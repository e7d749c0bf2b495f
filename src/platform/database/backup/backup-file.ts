import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { errorCode } from '../../error-code.ts'
import type { Secret } from '../../secret.ts'
import { StartError } from '../../start-error.ts'
import { decrypted, encrypted, readEncryptedHeader } from './encrypted-file.ts'
import { damagedBackup, type Manifest, readManifest } from './manifest.ts'

/**
 * A backup is gzipped text. Its first line is the manifest. Then follow, for each table of the manifest, its rows in the text format of
 * COPY and the line `\.`, which cannot be a row. The last line is `sha256 ` and the hash of everything before it.
 */
const endOfRows = Buffer.from('\\.\n')
const newline = 0x0a
const chunkBytes = 262_144
/** Maximum length of the manifest or a row, far above what Muster stores. */
const lineBytesMax = 268_435_456

/**
 * Writes and flushes a new file that only its owner can read. Holds a few chunks in memory. Opens the file before reading `content`: a
 * stream that opens it lazily could create it again after the caller has deleted it.
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

/** The manifest's line, and the line after the rows of a table. */
export const backupLines = {
  manifest: (manifest: Manifest) => Buffer.from(`${JSON.stringify(manifest)}\n`),
  endOfRows,
}

async function* withHash(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  const hash = createHash('sha256')
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
  yield Buffer.from(hashLine(hash.digest('hex')))
}

const hashLine = (sha256: string) => `sha256 ${sha256}\n`

/** An open backup. Call `rows` once per table of the manifest, in order, then `verifyEnd`. */
export interface BackupReader {
  readonly manifest: Manifest
  /** Rows of the next table, in chunks of whole rows. */
  rows(): AsyncGenerator<Buffer, void, void>
  /** Throws if the hash does not match. */
  verifyEnd(): Promise<void>
  close(): void
}

/** Throws `StartError` for any fault of the file, as do the methods of the reader. */
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
      // Takes whole rows only, so that the rest always starts with a row or the end line.
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
      const expected = hashLine(hash.digest('hex'))
      const actual = content.take(await content.lineBytes()).toString()
      if (actual !== expected || !(await content.isAtEnd())) throw damagedBackup(path)
    },
    close: content.close,
  }
}

/** The uncompressed text, read in chunks. */
interface Content {
  /** Text that was read but not taken. */
  rest(): Buffer
  take(bytes: number): Buffer
  needMore(): Promise<void>
  /** Length of the next line, including the newline. */
  lineBytes(): Promise<number>
  isAtEnd(): Promise<boolean>
  close(): void
}

async function openContent(path: string, passphrase: Secret | undefined): Promise<Content> {
  const header = await readEncryptedHeader(path)
  if (header && !passphrase)
    throw new StartError(`${path} is encrypted: pass the file with its passphrase (--passphrase-file).`)
  const file = createReadStream(path, header?.range)
  const content = createGunzip({ chunkSize: chunkBytes })
  // `readMore` throws the error of the pipeline.
  if (header && passphrase)
    pipeline(file, await decrypted(header, path, passphrase), content).catch((error: unknown) => {
      content.destroy(error instanceof Error ? error : undefined)
    })
  else pipeline(file, content).catch(() => undefined)
  const chunks: AsyncIterator<Buffer> = content[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function readMore(): Promise<boolean> {
    const { value, done } = await chunks.next().catch((cause: unknown) => {
      if (cause instanceof StartError) throw cause
      const code = errorCode(cause)
      if (code?.startsWith('Z_')) throw damagedBackup(path, cause)
      throw new StartError(`${path} cannot be read (${code}).`, { cause })
    })
    if (!done) rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return !done
  }
  async function needMore(): Promise<void> {
    if (rest.length > lineBytesMax || !(await readMore())) throw damagedBackup(path)
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

/** Counts the rows in a chunk. COPY escapes line breaks within rows. */
export function countRows(piece: Buffer): number {
  let count = 0
  for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) count += 1
  return count
}
