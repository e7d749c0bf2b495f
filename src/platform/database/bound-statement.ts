import { hash } from 'node:crypto'
import type { Statement } from './database.ts'

export interface BoundStatement {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/**
 * Builds a statement whose text binds values with `add`. The name contains a hash of the text, so that two texts never share a name. It
 * stays below 63 bytes, where PostgreSQL truncates names.
 */
export function boundStatement(prefix: string, build: (add: AddValue) => string): BoundStatement {
  const values: unknown[] = []
  const text = build((value) => `$${values.push(value)}`)
  const name = `${prefix}_${hash('sha256', text, 'base64url').slice(0, 22)}`
  return { statement: { name, text }, values }
}

/** Adds a value to the statement and returns its placeholder, such as `$1`. */
export type AddValue = (value: unknown) => string
