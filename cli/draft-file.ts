import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import { Fault } from './errors.ts'

/** A file that appears under its name when it is complete. */
export interface DraftFile {
  readonly file: FileHandle
  /** Gives the complete file its name. */
  keep(): Promise<void>
  /** Removes the unfinished file. */
  discard(): Promise<void>
}

interface DraftOptions {
  readonly mayReplace: boolean
  /** What to do if the file exists and must not be replaced. */
  readonly advice?: string
  readonly mode?: number
}

/** By default, only the owner can read the file. */
export async function openDraft(
  path: string,
  { mayReplace, advice = 'Add --yes to replace it.', mode = 0o600 }: DraftOptions,
): Promise<DraftFile> {
  if (!mayReplace && (await exists(path))) throw new Fault(`${path} already exists. ${advice}`)
  const draft = `${path}.unfinished`
  // An older draft is removed, because opening it would keep its owner and mode.
  const opening = rm(draft, { force: true }).then(() => open(draft, 'wx', mode))
  const file = await opening.catch(() => {
    throw new Fault(`Cannot write ${path}.`)
  })
  return {
    file,
    async keep() {
      await file.sync()
      await file.close()
      await (mayReplace ? rename(draft, path) : putInPlace(draft, path))
    },
    async discard() {
      await file.close()
      await rm(draft, { force: true })
    },
  }
}

/** Writes a file that appears after `write`, or not at all after an error. */
export async function writeDraft<Result>(
  path: string,
  options: DraftOptions,
  write: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const { file, keep, discard } = await openDraft(path, options)
  try {
    const result = await write(file)
    await keep()
    return result
  } catch (error) {
    await discard()
    throw error
  }
}

/** Unlike a rename, a link fails if the file exists by now. */
async function putInPlace(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
    await rm(draft)
  } catch {
    if (await exists(path)) throw new Fault(`${path} was created in the meantime. The result is in ${draft}.`)
    // This file system has no links.
    await rename(draft, path)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
