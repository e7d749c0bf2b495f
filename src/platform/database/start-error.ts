/** Why Muster cannot start: one sentence for a person that says what to do. The caller prints `message` and exits 1. */
export class StartError extends Error {
  constructor(message: string, more: { readonly cause?: unknown } = {}) {
    super(message, more)
    this.name = 'StartError'
  }
}

/** Runs work in the data directory and turns an error of the file system into a `StartError`, by its code. */
export async function explainDirectoryErrors<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const reason = reasons.get(codeOf(cause) ?? '')
    if (cause instanceof StartError || reason === undefined) throw cause
    throw new StartError(`The data directory ${dataDir} ${reason}: correct that, or set MUSTER_DATA_DIR to another.`, {
      cause,
    })
  }
}

/** The code of an error of Node or PostgreSQL, such as `ENOENT` or `57P03`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'may not be written or read by this user'],
  ['EPERM', 'may not be changed by this user'],
  ['EROFS', 'is on a read-only file system'],
  ['ENOTDIR', 'is not a directory'],
  ['EEXIST', 'is not a directory'],
  ['ENOSPC', 'is on a full disk'],
  ['EDQUOT', 'is over its quota'],
])
