import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Secret } from '../../platform/secret.ts'

/**
 * The file of `muster passwords build-list`: this mark, and then the first 8 bytes of the SHA-1 of each breached password, in ascending
 * order. Of a thousand million entries, one in 18 thousand million other passwords has one of these by chance.
 */
export const listMark = Buffer.from('MUSTER BREACHED1')
export const entryBytes = 8

/** So many entries, 4 KiB, are read at once when the search has come near enough. */
const blockEntries = 512

/** Where a search reads. The entries are in ascending order. */
export interface SortedEntries {
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
