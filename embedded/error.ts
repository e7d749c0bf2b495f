/** Why the embedded database cannot be used: one sentence for a person that says what to do. */
export class EmbeddedError extends Error {
  constructor(message: string, more: { readonly cause?: unknown } = {}) {
    super(message, more)
    this.name = 'EmbeddedError'
  }
}

/** The code of an error of Node or PostgreSQL, such as `ENOENT` or `57P03`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Runs work in the data directory and turns an error of the file system into an `EmbeddedError`, by its code. */
export async function explainDirectoryErrors<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const reason = reasons.get(errorCode(cause) ?? '')
    if (cause instanceof EmbeddedError || reason === undefined) throw cause
    throw new EmbeddedError(
      `The data directory ${dataDir} ${reason}: correct that, or set MUSTER_DATA_DIR to another.`,
      { cause },
    )
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'may not be written or read by this user'],
  ['EPERM', 'may not be changed by this user'],
  ['ENOENT', 'cannot be created'],
  ['ENAMETOOLONG', 'has too long a name'],
  ['ELOOP', 'is a symbolic link to itself'],
  ['EIO', 'is on a disk that fails'],
  ['EROFS', 'is on a read-only file system'],
  ['ENOTDIR', 'is not a directory'],
  ['EEXIST', 'is not a directory'],
  ['ENOSPC', 'is on a full disk'],
  ['EDQUOT', 'is over its quota'],
])
