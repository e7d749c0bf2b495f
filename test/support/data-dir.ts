import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A data directory of its own, which the returned function removes. */
export async function makeDataDir(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'muster-data-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
