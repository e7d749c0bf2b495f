import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

interface Listed {
  readonly id: string
  readonly isCurrent: boolean
  readonly userAgent?: string
}

async function sessionsOf(token: string): Promise<Listed[]> {
  const answer = await service.get('/auth/sessions', { token })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { sessions: Listed[] }).sessions
}

const calls = async (token: string) => problemOf(await service.get('/api/v1/user/data', { token }))
const ended = { status: 401, code: 'session_ended' }

async function twoSessions() {
  const person = await service.person()
  await service.sql(`delete from session where account_id = $1`, [person.id])
  return {
    person,
    first: await newClient(service).openSession(person),
    second: await newClient(service).openSession(person),
  }
}

describe('GET /auth/sessions', () => {
  test('has an audit event for each session, with origin and method', async () => {
    const { person, first } = await twoSessions()
    const [{ id } = { id: '' }] = (await sessionsOf(first.access)).filter(({ isCurrent }) => isCurrent)
    const recorded = await service.sql(
      `select actor_id, target_kind, address is not null as "hasAddress", details from audit_event
       where action = 'session.opened' and target_id = $1`,
      [id],
    )
    const details = { amr: ['pwd'] }
    expect(recorded).toEqual([{ actor_id: person.id, target_kind: 'session', hasAddress: true, details }])
  })

  test('returns the caller’s open sessions, with the current one marked and the user agent shortened', async () => {
    const { person, first } = await twoSessions()
    const client = newClient(service)
    const answer = await client.send('POST', '/auth/sign-in', {
      body: { email: person.email, password: person.password },
      headers: { 'user-agent': `Browser\u00e9 ${'x'.repeat(300)}` },
    })
    expect(answer.status).toBe(200)
    const listed = await sessionsOf(first.access)
    expect(listed).toHaveLength(3)
    expect(listed.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    expect(listed[0]).toMatchObject({ amr: ['pwd'], address: client.address, isCurrent: false })
    expect(listed[0]?.userAgent).toMatch(/^Browser\? x+$/)
    expect(listed[0]?.userAgent).toHaveLength(200)
  })

  test('returns the most recently used first', async () => {
    const { first, second } = await twoSessions()
    const idOf = async (token: string) => (await sessionsOf(token)).find(({ isCurrent }) => isCurrent)?.id
    const [older, newer] = [await idOf(first.access), await idOf(second.access)]
    expect((await sessionsOf(first.access)).map(({ id }) => id)).toEqual([newer, older])
    await service.sql('update session set last_used_at = now() where id = $1', [older])
    expect((await sessionsOf(first.access)).map(({ id }) => id)).toEqual([older, newer])
  })

  test('returns the newest first if they were used at the same moment', async () => {
    const { person, first, second } = await twoSessions()
    await service.sql('update session set last_used_at = now() where account_id = $1', [person.id])
    const current = async (token: string) => (await sessionsOf(token)).map(({ isCurrent }) => isCurrent)
    expect(await current(first.access)).toEqual([false, true])
    expect(await current(second.access)).toEqual([true, false])
  })

  test('returns at most 100 sessions: another one ends the least recently used', async () => {
    const { person, first, second } = await twoSessions()
    await service.sql(
      `insert into session (account_id, amr, expires_at, last_used_at)
       select $1, '{pwd}', now() + interval '1 day', now() + interval '1 hour' from generate_series(1, 98)`,
      [person.id],
    )
    const last = await newClient(service).openSession(person)
    expect(await calls(first.access)).toEqual(ended)
    expect(await calls(second.access)).toMatchObject({ status: 200 })
    expect(await sessionsOf(last.access)).toHaveLength(100)
  })

  test('counts a refresh as use when another session ends the least recently used', async () => {
    const { person, first, second } = await twoSessions()
    await service.sql(`update session set last_used_at = now() - interval '2 hours' where account_id = $1`, [person.id])
    await service.sql(
      `insert into session (account_id, amr, expires_at, last_used_at)
       select $1, '{pwd}', now() + interval '1 day', now() - interval '1 hour' from generate_series(1, 98)`,
      [person.id],
    )
    tokensOf(await newClient(service).post('/auth/refresh', { refresh_token: first.refresh }))
    await newClient(service).openSession(person)
    expect(await calls(first.access)).toMatchObject({ status: 200 })
    expect(await calls(second.access)).toEqual(ended)
  })

  test('returns 401 for an ended session, a disabled account and a deleted account', async () => {
    const { person, first, second } = await twoSessions()
    await newClient(service).post('/auth/sign-out', undefined, first.access)
    expect(problemOf(await service.get('/auth/sessions', { token: first.access }))).toEqual(ended)
    await service.sql(`update account set disabled_at = now() where id = $1`, [person.id])
    const disabled = { status: 401, code: 'account_disabled' }
    expect(problemOf(await service.get('/auth/sessions', { token: second.access }))).toEqual(disabled)
    await service.sql(`delete from account where id = $1`, [person.id])
    expect(problemOf(await service.get('/auth/sessions', { token: second.access }))).toEqual(ended)
  })
})

describe('DELETE /auth/sessions/{sessionId}', () => {
  test('returns 204: the session ends at the next request, the others stay open', async () => {
    const { first, second } = await twoSessions()
    const other = (await sessionsOf(first.access)).find(({ isCurrent }) => !isCurrent)
    const answer = await service.call('DELETE', `/auth/sessions/${other?.id}`, { token: first.access })
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(await calls(second.access)).toEqual(ended)
    expect(await calls(first.access)).toMatchObject({ status: 200 })
  })

  test('returns 404 session_unknown for an ended session, another account’s session and an unknown id', async () => {
    const { first, second } = await twoSessions()
    const mine = (await sessionsOf(first.access)).find(({ isCurrent }) => !isCurrent)
    await newClient(service).post('/auth/sign-out', undefined, second.access)
    const theirs = (await sessionsOf((await twoSessions()).first.access))[0]
    for (const id of [mine?.id, theirs?.id, '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55']) {
      const answer = await service.call('DELETE', `/auth/sessions/${id}`, { token: first.access })
      expect(problemOf(answer)).toEqual({ status: 404, code: 'session_unknown' })
    }
    const answer = await service.call('DELETE', '/auth/sessions/1', { token: first.access })
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  })
})

describe('POST /auth/sign-out and /auth/sign-out-everywhere', () => {
  test('sign-out ends only the current session', async () => {
    const { first, second } = await twoSessions()
    expect((await newClient(service).post('/auth/sign-out', undefined, first.access)).status).toBe(204)
    expect(await calls(first.access)).toEqual(ended)
    expect(await calls(second.access)).toMatchObject({ status: 200 })
    expect(problemOf(await newClient(service).post('/auth/sign-out', undefined, first.access))).toEqual(ended)
  })

  test('sign-out everywhere ends all sessions on every node', async () => {
    const { person, first, second } = await twoSessions()
    const node = await startIssuer({ on: service.fresh })
    expect((await node.get('/api/v1/user/data', { token: second.access })).status).toBe(200)
    expect((await newClient(service).post('/auth/sign-out-everywhere', undefined, first.access)).status).toBe(204)
    for (const token of [first.access, second.access]) {
      expect(await calls(token)).toEqual(ended)
      // The invalidation has not reached the other node yet.
      await expect.poll(async () => problemOf(await node.get('/api/v1/user/data', { token }))).toEqual(ended)
    }
    await node.stop()
    const noted = await service.sql(`select 1 from audit_event where action = 'session.ended' and actor_id = $1`, [
      person.id,
    ])
    expect(noted).toHaveLength(2)
  })
})
