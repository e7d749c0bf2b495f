import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { StartError } from '../../start-error.ts'
import { migrationNames } from '../schema.ts'

const Table = Type.Object({
  name: Type.String(),
  /** Excludes generated columns. */
  columns: Type.Array(Type.String()),
  rows: Type.Integer({ minimum: 0 }),
})

const Sequence = Type.Object({ name: Type.String(), lastValue: Type.String(), isCalled: Type.Boolean() })

/** Members that every version of the format has. */
const Head = Type.Object({ format: Type.Literal('muster-backup'), version: Type.Integer(), muster: Type.String() })

/** The first line of a backup. Lists everything that follows. */
export const Manifest = Type.Object({
  ...Head.properties,
  madeAt: Type.String(),
  /** Version of PostgreSQL, for information only. */
  postgres: Type.String(),
  /** Applied migrations, in order. */
  migrations: Type.Array(Type.String()),
  tables: Type.Array(Table),
  sequences: Type.Array(Sequence),
  /** Encrypts signing keys and secrets of second factors. Present if it is a file of the data directory. */
  encryptionKey: Type.Optional(Type.String()),
})

export type Manifest = Static<typeof Manifest>
export type StoredTable = Static<typeof Table>
export type StoredSequence = Static<typeof Sequence>

/** Must be increased when older releases cannot read the new format. */
export const backupVersion = 1

/** Parses the first line of a backup. Throws `StartError` if it is malformed or has a later format. */
export function readManifest(line: string, path: string): Manifest {
  const value = parsed(line)
  if (!Value.Check(Head, value)) throw damagedBackup(path)
  if (value.version !== backupVersion)
    throw new StartError(`${path} was made by a newer Muster (${value.muster}): restore it with that release.`)
  if (!Value.Check(Manifest, value)) throw damagedBackup(path)
  return value
}

/** Throws `StartError` if this release does not know all migrations of the backup. */
export async function checkSchemaIsKnown({ migrations, muster }: Manifest, folder: string): Promise<void> {
  const known = await migrationNames(folder)
  const unknown = migrations.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new StartError(
      `The backup has a newer schema (${unknown}, of Muster ${muster}) than this release: restore it with the release that made it, or a newer one.`,
    )
  if (migrations.length === 0 || migrations.some((name, index) => name !== known[index]))
    throw new StartError('The migrations of the backup do not match those of this release, so it cannot be restored.')
}

export function damagedBackup(path: string, cause?: unknown): StartError {
  return new StartError(`${path} is not a Muster backup, or it is damaged or truncated: nothing was restored.`, {
    cause,
  })
}

/** Progress of reading or writing a backup. */
export interface BackupEvents {
  /** Called before the first row. */
  readonly onManifest: (manifest: Manifest) => void
  /** Called with the number of rows of each chunk. */
  readonly onRows: (rows: number) => void
}

export function totalRows({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
