import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { newClient, type SessionTokens, startIssuer, tokensOf } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const refused = { status: 401, code: 'refresh_refused' }
const refresh = (refresh_token: string) => newClient(service).post('/auth/refresh', { refresh_token })
/** Like the console page, which has the refresh token in a cookie. */
const signOut = (refresh_token: string) =>
  newClient(service).send('DELETE', '/console/session', {
    headers: { origin: service.url, 'sec-fetch-site': 'same-origin', cookie: `muster-session=${refresh_token}` },
  })
const idOf = ({ access }: SessionTokens) => decodeJwt<{ sid: string }>(access).sid

/** A session whose first refresh token was used longer ago than the grace period. */
async function refreshed() {
  const person = await service.person()
  const client = newClient(service)
  const first = await client.openSession(person)
  const next = tokensOf(await refresh(first.refresh))
  await service.sql(`update refresh_token set spent_at = spent_at - interval '61 seconds' where session_id = $1`, [
    idOf(first),
  ])
  return { person, client, first, next, id: idOf(first) }
}

const endOf = async (id: string) =>
  (await service.sql<{ ended_at: Date | null }>('select ended_at from session where id = $1', [id]))[0]?.ended_at
const eventsOf = (id: string) =>
  service.sql(
    `select action, actor_id, target_kind, target_id, details from audit_event
     where target_id = $1 and action in ('session.ended', 'session.reused') order by at, id`,
    [id],
  )

describe('a session that ends', () => {
  test('is recorded once when a token is reused; later uses change nothing', async () => {
    const { person, first, next, id } = await refreshed()
    expect(problemOf(await refresh(first.refresh))).toEqual(refused)
    const ended = await endOf(id)
    expect(ended).toEqual(expect.any(Date))
    for (const token of [first.refresh, next.refresh, first.refresh])
      expect(problemOf(await refresh(token))).toEqual(refused)
    expect((await signOut(next.refresh)).status).toBe(204)
    expect(await endOf(id)).toEqual(ended)
    expect(await eventsOf(id)).toEqual([
      {
        ...{ action: 'session.reused', actor_id: null, target_kind: 'session', target_id: id },
        details: { accountId: person.id },
      },
    ])
  })

  test('is recorded once when its owner ends it; reusing a token later records nothing', async () => {
    const { person, first, next, id } = await refreshed()
    const others = [await newClient(service).openSession(person), (await refreshed()).next]
    expect((await signOut(next.refresh)).status).toBe(204)
    for (const other of others) expect(await endOf(idOf(other))).toBeNull()
    const ended = await endOf(id)
    for (const token of [next.refresh, first.refresh]) {
      expect((await signOut(token)).status).toBe(204)
      expect(problemOf(await refresh(token))).toEqual(refused)
    }
    expect(await endOf(id)).toEqual(ended)
    expect(await eventsOf(id)).toEqual([
      { action: 'session.ended', actor_id: person.id, target_kind: 'session', target_id: id, details: {} },
    ])
  })

  test('is not recorded when it expires', async () => {
    const { next, id } = await refreshed()
    await service.sql(`update session set expires_at = now() - interval '1 second' where id = $1`, [id])
    expect((await signOut(next.refresh)).status).toBe(204)
    expect(problemOf(await refresh(next.refresh))).toEqual(refused)
    expect(await endOf(id)).toBeNull()
    expect(await eventsOf(id)).toEqual([])
  })
})

test('a rejected unused token does not end its session', async () => {
  const { person, next, id } = await refreshed()
  await service.sql('update account set disabled_at = now() where id = $1', [person.id])
  expect(problemOf(await refresh(next.refresh))).toEqual(refused)
  expect([await endOf(id), await eventsOf(id)]).toEqual([null, []])
})
