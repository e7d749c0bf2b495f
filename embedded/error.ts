/** The embedded database cannot be used. The message is one sentence for users that says what to do. */
export class EmbeddedError extends Error {
  constructor(message: string, more: { readonly cause?: unknown } = {}) {
    super(message, more)
    this.name = 'EmbeddedError'
  }
}

/** The code of a Node or PostgreSQL error, such as `ENOENT` or `57P03`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Runs work in the data directory and turns file system errors into `EmbeddedError`. */
export async function explainDirectoryErrors<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const reason = reasons.get(errorCode(cause) ?? '')
    if (cause instanceof EmbeddedError || reason === undefined) throw cause
    throw new EmbeddedError(`The data directory ${dataDir} ${reason}: fix it, or set MUSTER_DATA_DIR to another.`, {
      cause,
    })
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'cannot be written or read by this user'],
  ['EPERM', 'cannot be changed by this user'],
  ['ENOENT', 'cannot be created'],
  ['ENAMETOOLONG', 'has a name that is too long'],
  ['ELOOP', 'is a symbolic link to itself'],
  ['EIO', 'is on a failing disk'],
  ['EROFS', 'is on a read-only file system'],
  ['ENOTDIR', 'is not a directory'],
  ['EEXIST', 'is not a directory'],
  ['ENOSPC', 'is on a full disk'],
  ['EDQUOT', 'is over its disk quota'],
])
