import { DatabaseError } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rows } from '../../src/platform/database/database.ts'
import type { UserCaller } from '../../src/platform/http/caller.ts'
import { createUserData } from '../../src/user-data/query.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase
const disabled = 7
const people = Array.from({ length: 250 }, (_, number) => caller(`person ${number}`))

beforeAll(async () => {
  fresh = await freshDatabase()
  const made = {
    name: '',
    text: `
with number as (select n, gen_random_uuid() as id from generate_series(0, 249) n),
     made as (insert into account (id, email, disabled_at)
              select id, n || '@example.com', case when n = ${disabled} then now() end from number returning id),
     named as (insert into factor (account_id, friendly_name, secret, verified_at)
               select id, 'device ' || n, '', now() from number)
insert into identity (issuer, subject, account_id) select 'https://issuer.test', 'person ' || n, id from number`,
  }
  await fresh.database.query(made, [])
})
afterAll(() => fresh.drop())

function caller(subject: string): UserCaller {
  return {
    kind: 'user',
    key: subject,
    issuer: 'https://issuer.test',
    subject,
    session: `session of ${subject}`,
    emailTrusted: false,
    provisions: false,
  }
}

/** Counts statements by name. */
function opened() {
  const asked: string[] = []
  const rows: Rows = {
    query(statement, values) {
      asked.push(statement.name)
      return fresh.database.query(statement, values)
    },
  }
  const read = createUserData(rows)
  return { read, timesAsked: () => asked.filter((name) => name === 'user_data_several').length }
}

test('100 concurrent callers share one statement, and each gets its own response or error', async () => {
  // The first round creates the accounts: all are new, and only the first session stays the first.
  const first = opened()
  await Promise.allSettled(people.map((person) => first.read(person, {})))
  const { read, timesAsked } = opened()
  const later = (person: UserCaller, number: number) =>
    number % 2 === 0 ? person : { ...person, session: 'a later one' }
  const strangers = [caller('nobody'), { ...caller('person 1'), issuer: 'https://another.test' }]
  const results = await Promise.allSettled([...people.map(later), ...strangers].map((one) => read(one, {})))
  expect(timesAsked()).toBe(3)
  for (const [number, result] of results.entries()) {
    if (number === disabled) expect(result).toMatchObject({ reason: { code: 'account_disabled' } })
    else if (number >= people.length) expect(result).toMatchObject({ reason: { code: 'account_unknown' } })
    else {
      const text = result.status === 'fulfilled' ? result.value : '{}'
      expect(JSON.parse(text)).toMatchObject({
        isFirstLogin: number % 2 === 0,
        mfaFactors: [{ friendlyName: `device ${number}` }],
      })
    }
  }
})

test('a caller that PostgreSQL rejects does not affect the others', async () => {
  const { read } = opened()
  // PostgreSQL rejects NUL in text.
  const crowd = [caller('person 1'), caller('a\0b'), caller('person 2')]
  const [one, refused, other] = await Promise.allSettled(crowd.map((someone) => read(someone, {})))
  expect(one).toMatchObject({ status: 'fulfilled' })
  expect(other).toMatchObject({ status: 'fulfilled' })
  expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
})
