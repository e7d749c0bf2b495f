import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../platform/error-code.ts'
import { uuidPattern } from '../platform/http/formats.ts'

/** One deleted account: a line of `erasures.ndjson`. */
export interface ErasureLine {
  readonly accountId: string
  /** RFC 3339. */
  readonly erasedAt: string
}

/** Not part of database backups: a restored database does not know which accounts were deleted since the backup. */
export function erasuresFile(dataDir: string): string {
  return join(dataDir, 'erasures.ndjson')
}

export async function appendErasures(dataDir: string, lines: readonly ErasureLine[]): Promise<void> {
  if (lines.length === 0) return
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // One write call, because several processes of a node append to the file.
  const file = await open(erasuresFile(dataDir), 'a', 0o600)
  try {
    await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The lines of the file, without a line that a crash truncated. Empty if the file does not exist. */
export async function readErasures(dataDir: string): Promise<readonly ErasureLine[]> {
  const text = await readFile(erasuresFile(dataDir), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap(lineOf)
}

function lineOf(text: string): ErasureLine[] {
  const [, accountId = '', erasedAt = ''] = /^\{"accountId":"([^"]+)","erasedAt":"([^"]+)"\}$/.exec(text) ?? []
  return uuidPattern.test(accountId) ? [{ accountId, erasedAt }] : []
}
