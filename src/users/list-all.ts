import { DatabaseError } from 'pg'
import { type AddValue, type BoundStatement, boundStatement, type Database } from '../platform/database/database.ts'
import { Problem, refuse } from '../platform/problems.ts'
import { conditionsOf, sorts, type UsersFilters, type UsersSort } from './filters.ts'
import { formatBatches, type ListFormatName, listFormats } from './list-formats.ts'

export interface UsersList {
  readonly filters: UsersFilters
  readonly sort: UsersSort
  readonly format: ListFormatName
  /** Shows no other organization of a user. */
  readonly within?: string | undefined
}

/**
 * The full export as chunks of one text, from one snapshot and in constant memory. `onRows` receives the number of
 * users in each chunk.
 */
export function streamAll(
  database: Pick<Database, 'stream'>,
  list: UsersList,
  { signal, onRows }: { signal?: AbortSignal; onRows?: (users: number) => void },
): AsyncGenerator<string, void, void> {
  const { statement, values } = listStatement(list)
  const batches = database.stream(statement, values, signal ? { signal } : {})
  return formatBatches(listFormats[list.format], batches, onRows)
}

/** The number of matching users. Problem: `count_timeout` if counting takes longer than `timeoutMs`. */
export async function countUsers(
  database: Pick<Database, 'transaction'>,
  filters: UsersFilters,
  timeoutMs: number,
): Promise<number> {
  const { statement, values } = countStatement(filters)
  try {
    const [row] = await database.transaction(async (rows) => {
      await rows.query(timeoutStatement, [String(timeoutMs)])
      return rows.query<{ total: string }>(statement, values)
    })
    return Number(row?.total)
  } catch (error) {
    const cause = error instanceof Problem ? error.more.cause : error
    // 57014 query_canceled: here, the statement timeout.
    if (cause instanceof DatabaseError && cause.code === '57014')
      return refuse('count_timeout', { detail: 'Repeat the request without count.', cause })
    throw error
  }
}

/** Every matching user, one row of text each. */
export function listStatement({ filters, sort, format, within }: UsersList): BoundStatement {
  const { column, direction } = sorts[sort]
  return boundStatement(
    'users_all',
    (add) => `
select ${listFormats[format].row(within && add(within))}
from (select a.id, a.email, a.role_id, a.${column} from account a
      where ${whereOf(filters, add)} order by a.${column} ${direction}, a.id ${direction}) p`,
  )
}

/** The number of matching users, with the same condition as the list. */
export function countStatement(filters: UsersFilters): BoundStatement {
  return boundStatement(
    'users_count',
    (add) => `select count(*) as total from account a where ${whereOf(filters, add)}`,
  )
}

function whereOf(filters: UsersFilters, add: AddValue): string {
  const { listed, columns, searches } = conditionsOf(filters, 'filterIndex', add)
  return [listed, ...columns, ...searches].join(' and ')
}

const timeoutStatement = { name: 'users_count_timeout', text: `select set_config('statement_timeout', $1, true)` }
