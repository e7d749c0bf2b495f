import { errorCode } from '../error-code.ts'
import { StartError } from '../start-error.ts'

/** Runs work in the data directory and turns an error of the file system into a `StartError`, by its code. */
export async function explainDirectoryErrors<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const reason = reasons.get(errorCode(cause) ?? '')
    if (cause instanceof StartError || reason === undefined) throw cause
    throw new StartError(`The data directory ${dataDir} ${reason}: correct that, or set MUSTER_DATA_DIR to another.`, {
      cause,
    })
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
