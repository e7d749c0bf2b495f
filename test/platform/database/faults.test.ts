import { DatabaseError } from 'pg'
import { expect, onTestFinished, test } from 'vitest'

import { asProblem, breaksConnection } from '../../../src/platform/database/faults.ts'
import { problemFrom } from '../../../src/platform/http/problem-answer.ts'
import { Problem } from '../../../src/platform/problems.ts'
import { freshDatabase } from '../../support/database.ts'

function answer(code: string): DatabaseError {
  const error = new DatabaseError('text that nothing is decided by', 1, 'error')
  error.code = code
  return error
}

/** SQLSTATE, problem for the caller, and whether the connection must be closed. */
const table: readonly [string, 'database_unavailable' | 'read_only' | 'the error itself', boolean][] = [
  ['08006', 'database_unavailable', true],
  ['08P01', 'database_unavailable', true],
  ['25006', 'read_only', true],
  ['25P03', 'database_unavailable', true],
  ['53100', 'read_only', false],
  ['53300', 'database_unavailable', false],
  ['55P03', 'database_unavailable', false],
  ['57014', 'database_unavailable', false],
  ['57P01', 'database_unavailable', true],
  ['57P03', 'database_unavailable', true],
  ['22012', 'the error itself', false],
  ['22P05', 'the error itself', false],
  ['23505', 'the error itself', false],
  ['25P02', 'the error itself', false],
  ['40001', 'the error itself', false],
  ['40P01', 'the error itself', false],
  ['42601', 'the error itself', false],
  ['42P01', 'the error itself', false],
]

test.each(table)('SQLSTATE %s: %s, connection closed %s', (code, meaning, closes) => {
  const error = answer(code)
  const mapped = asProblem(error)
  if (meaning === 'the error itself') expect(mapped).toBe(error)
  else {
    const retryAfterSeconds = meaning === 'read_only' ? 5 : 1
    expect(mapped).toMatchObject({ code: meaning, more: { retryAfterSeconds, cause: error } })
  }
  expect(breaksConnection(mapped)).toBe(closes)
  expect(breaksConnection(error)).toBe(closes)
})

test('database_unavailable — an error that did not come from PostgreSQL, which closes the connection', () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  // Five letters like an SQLSTATE, but not one.
  const pipe = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  for (const error of [reset, pipe, new Error('timeout exceeded when trying to connect')]) {
    const mapped = asProblem(error)
    expect(mapped).toMatchObject({ code: 'database_unavailable', more: { cause: error } })
    expect(breaksConnection(mapped)).toBe(true)
  }
})

test('a problem, a mistake in our code and a value that is not an error pass unchanged and keep the connection', () => {
  for (const error of [new Problem('permission_missing'), new TypeError('x is not a function'), 'text', undefined]) {
    expect(asProblem(error)).toBe(error)
    expect(breaksConnection(error)).toBe(false)
  }
})

test.each([true, false])('internal_error — a mistake in our SQL, with prepared statements: %s', async (prepared) => {
  const { database, drop } = await freshDatabase({ preparedStatements: prepared })
  onTestFinished(drop)
  await database.query({ name: 'one', text: 'select 1' }, [])
  const faults: readonly (readonly [name: string, text: string, values: readonly unknown[]])[] = [
    ['one', 'select 2', []],
    ['syntax', 'selec 1', []],
    ['column', 'select nonsense from account', []],
    ['table', 'select from nonsense', []],
    ['too few values', 'select $1::int, $2::int', [1]],
    ['too many values', 'select $1::int', [1, 2]],
    ['value', 'select $1::uuid', ['x']],
    ['divide', 'select 1 / $1::int', [0]],
    ['constraint', `insert into account (role_id) values ('nonsense')`, []],
  ]
  for (const [name, text, values] of faults) {
    const problems = await Promise.all([
      database.query({ name, text }, values).catch(problemFrom),
      database.transaction((rows) => rows.query({ name, text }, values)).catch(problemFrom),
    ])
    for (const problem of problems) expect([name, problem]).toMatchObject([name, { code: 'internal_error' }])
  }
  for (const [name, text] of [
    ['one', 'select 3'],
    ['streamed', 'select nonsense from account'],
  ] as const)
    expect(await database.stream({ name, text }, []).next().catch(problemFrom)).toMatchObject({
      code: 'internal_error',
    })
  expect(await database.query({ name: 'one', text: 'select 1' }, [])).toHaveLength(1)
})
