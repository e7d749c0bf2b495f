import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { StartError } from '../../start-error.ts'
import { migrationNames } from '../schema.ts'

const Table = Type.Object({
  name: Type.String(),
  /** Without generated ones. */
  columns: Type.Array(Type.String()),
  rows: Type.Integer({ minimum: 0 }),
})

const Sequence = Type.Object({ name: Type.String(), lastValue: Type.String(), isCalled: Type.Boolean() })

/** What every version of the format has. */
const Head = Type.Object({ format: Type.Literal('muster-backup'), version: Type.Integer(), muster: Type.String() })

/** The first line of a backup. Lists everything that follows. */
export const Manifest = Type.Object({
  ...Head.properties,
  madeAt: Type.String(),
  /** The version of its PostgreSQL, and in `muster` the release that made it: for people. */
  postgres: Type.String(),
  /** The schema: every migration that had run, in their order. */
  migrations: Type.Array(Type.String()),
  tables: Type.Array(Table),
  sequences: Type.Array(Sequence),
  /** The key that encrypts signing keys and secrets of second factors, where it is a file of the data directory. */
  encryptionKey: Type.Optional(Type.String()),
})

export type Manifest = Static<typeof Manifest>
export type StoredTable = Static<typeof Table>
export type StoredSequence = Static<typeof Sequence>

/** Raised when an older release could not read what a newer one writes. */
export const backupVersion = 1

/** The manifest in the first line of a file. Throws `StartError` where it is none, or one of a later format. */
export function readManifest(line: string, path: string): Manifest {
  const value = parsed(line)
  if (!Value.Check(Head, value)) throw damaged(path)
  if (value.version !== backupVersion)
    throw new StartError(`${path} was made by a newer Muster (${value.muster}): restore it with that release.`)
  if (!Value.Check(Manifest, value)) throw damaged(path)
  return value
}

/** Throws `StartError` where this release does not know the schema of the backup. */
export async function refuseUnknownSchema({ migrations, muster }: Manifest, folder: string): Promise<void> {
  const known = await migrationNames(folder)
  const unknown = migrations.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new StartError(
      `The backup has a newer schema (${unknown}, of Muster ${muster}) than this release: restore it with the release that made it, or a newer one.`,
    )
  if (migrations.length === 0 || migrations.some((name, index) => name !== known[index]))
    throw new StartError('The migrations of the backup are not the first ones of this release: it cannot be restored.')
}

/** Whatever differs from what was written, the remedy is the same. */
export function damaged(path: string, cause?: unknown): StartError {
  return new StartError(`${path} is not a backup of Muster, or it is damaged or cut off: nothing was restored.`, {
    cause,
  })
}

/** Events of reading or writing a backup. */
export interface BackupEvents {
  /** Called before the first row. */
  readonly onManifest: (manifest: Manifest) => void
  /** Called with the number of rows of each piece. */
  readonly onRows: (rows: number) => void
}

export function rowsOf({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
