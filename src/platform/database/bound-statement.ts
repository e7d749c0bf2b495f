import { hash } from 'node:crypto'
import type { Statement } from './database.ts'

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/**
 * Builds a statement by a text that binds its values with `add`. Its name contains the SHA-256 of the text, so that two texts never
 * share a name, and stays below the 63 bytes that PostgreSQL keeps of it.
 */
export function boundStatement(prefix: string, build: (add: AddValue) => string): BoundStatement {
  const values: unknown[] = []
  const text = build((value) => `$${values.push(value)}`)
  const name = `${prefix}_${hash('sha256', text, 'base64url').slice(0, 22)}`
  return { statement: { name, text }, values }
}

/** Adds a value to those of a statement and returns its placeholder. */
export type AddValue = (value: unknown) => string
