import { decodeJwt } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import type { Database, Statement } from '../../src/platform/database/database.ts'
import { readOwnAccount } from '../../src/sign-in/account/own-account.ts'
import { readCurrentSession } from '../../src/sign-in/sessions/current-session.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { serviceForTest } from '../support/service.ts'

test('rejects a token of another issuer with session_foreign, even with the id of an existing session', async () => {
  const { database, drop } = await reusedDatabase()
  onTestFinished(drop)
  const caller = {
    kind: 'user' as const,
    key: 'k',
    issuer: 'https://issuer.example',
    subject: 'ada',
    session: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55',
    emailTrusted: false,
    provisions: true,
  }
  await expect(readCurrentSession(database, caller)).rejects.toMatchObject({ code: 'session_foreign' })
})

test('rejects the session of another account with session_ended', async () => {
  const { database, drop } = await reusedDatabase()
  onTestFinished(drop)
  const sql = <Row extends object>(text: string, values: unknown[] = []) =>
    database.query<Row>({ name: '', text }, values)
  const [one] = await sql<{ id: string }>(`insert into account default values returning id`)
  const [two] = await sql<{ id: string }>(`insert into account default values returning id`)
  const [session] = await sql<{ id: string }>(
    `insert into session (account_id, amr, expires_at) values ($1, '{pwd}', now() + interval '1 day') returning id`,
    [one?.id],
  )
  const caller = {
    kind: 'user' as const,
    key: 'k',
    issuer: 'urn:muster:issuer',
    emailTrusted: false,
    provisions: false,
    ownSessionId: session?.id ?? '',
  }
  await expect(readCurrentSession(database, { ...caller, subject: one?.id ?? '' })).resolves.toMatchObject({
    accountId: one?.id,
  })
  await expect(readCurrentSession(database, { ...caller, subject: two?.id ?? '' })).rejects.toMatchObject({
    code: 'session_ended',
  })
})

test('GET /auth/account returns session_ended if the account is deleted at the same moment', async () => {
  const service = await serviceForTest()
  const { id, token } = await service.person()
  const erasedAtOnce: Database = {
    ...service.database,
    async query<Row extends object>(statement: Statement, values: readonly unknown[]) {
      const rows = await service.database.query<Row>(statement, values)
      await service.sql('delete from account where id = $1', [id])
      return rows
    },
  }
  const { sid } = decodeJwt<{ sid: string }>(token)
  const owner = { issuer: 'urn:muster:issuer', subject: id, ownSessionId: sid, emailTrusted: false, provisions: false }
  const reading = readOwnAccount(erasedAtOnce, { kind: 'user', key: 'k', ...owner })
  await expect(reading).rejects.toMatchObject({ code: 'session_ended' })
})
