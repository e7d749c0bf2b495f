import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { newClient, type SessionTokens, startIssuer, tokensOf } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const refused = { status: 401, code: 'refresh_refused' }
const ended = { status: 401, code: 'session_ended' }
const refreshAt = (at: Service, refresh_token: string) => newClient(at).post('/auth/refresh', { refresh_token })
const refresh = (refresh_token: string) => refreshAt(service, refresh_token)
const calls = async (token: string) => problemOf(await service.get('/api/v1/user/data', { token }))

async function session() {
  const person = await service.person()
  return { person, ...(await newClient(service).openSession(person)) }
}

const sessionOf = (access: string): string =>
  JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()).sid

/** The ids of the open sessions. */
async function listed(token: string): Promise<readonly string[]> {
  const { body } = await newClient(service).send('GET', '/auth/sessions', { token })
  return (body as { sessions: { id: string }[] }).sessions.map(({ id }) => id)
}

/** Moves the tokens of a session into the past. */
async function wait({ access }: SessionTokens, seconds: number): Promise<void> {
  await service.sql(`update refresh_token set spent_at = spent_at - make_interval(secs => $2) where session_id = $1`, [
    sessionOf(access),
    seconds,
  ])
}

describe('POST /auth/refresh', () => {
  test('returns the next token and an access token of the same session', async () => {
    const { access, refresh: first } = await session()
    const second = tokensOf(await refresh(first))
    const third = tokensOf(await refresh(second.refresh))
    expect(new Set([first, second.refresh, third.refresh]).size).toBe(3)
    expect(sessionOf(third.access)).toBe(sessionOf(access))
    expect(await calls(third.access)).toMatchObject({ status: 200 })
  })

  test('stores refresh tokens only as hashes', async () => {
    const { refresh: token } = await session()
    const { refresh: next } = tokensOf(await refresh(token))
    const [found] = await service.sql<{ all: string }>(
      `select string_agg(to_json(t)::text, ' ') || (select string_agg(to_json(s)::text, ' ') from session s) as all
       from refresh_token t`,
    )
    for (const shown of [token, next])
      for (const form of [
        shown,
        Buffer.from(shown).toString('hex'),
        Buffer.from(shown.slice(4), 'base64url').toString('hex'),
      ])
        expect(found?.all).not.toContain(form)
  })

  test('returns the same next token for parallel uses of one token, over two nodes and several generations', async () => {
    const other = await startIssuer({ on: service.fresh })
    onTestFinished(() => other.stop())
    const { access, refresh: first } = await session()
    let token = first
    for (let generation = 0; generation < 25; generation += 1) {
      const uses = Array.from({ length: 8 }, (_, n) => refreshAt(n % 2 === 0 ? service : other, token))
      const next = new Set((await Promise.all(uses)).map((answer) => tokensOf(answer).refresh))
      expect(next.size).toBe(1)
      token = [...next].join()
    }
    const [found] = await service.sql<{ tokens: number }>(
      `select count(*)::int as tokens from refresh_token where session_id = $1`,
      [sessionOf(access)],
    )
    expect(found?.tokens).toBe(26)
    expect(await calls(access)).toMatchObject({ status: 200 })
  })

  test('returns the same response again within 60 seconds, and the session continues', async () => {
    const opened = await session()
    const lost = tokensOf(await refresh(opened.refresh))
    await wait(opened, 59)
    const again = tokensOf(await refresh(opened.refresh))
    expect(again.refresh).toBe(lost.refresh)
    expect(await calls(tokensOf(await refresh(again.refresh)).access)).toMatchObject({ status: 200 })
  })

  test('keeps a session that is refreshed within 14 days', async () => {
    const { access, refresh: token } = await session()
    await service.sql(`update session set last_used_at = now() - interval '13 days 23 hours' where id = $1`, [
      sessionOf(access),
    ])
    const next = tokensOf(await refresh(token))
    expect(await listed(next.access)).toContain(sessionOf(access))
  })
})

describe('POST /auth/refresh returns 401 refresh_refused', () => {
  test('and ends the session when a used token is sent after 60 seconds', async () => {
    const opened = await session()
    const next = tokensOf(await refresh(opened.refresh))
    await wait(opened, 61)
    expect(problemOf(await refresh(opened.refresh))).toEqual(refused)
    expect(problemOf(await refresh(next.refresh))).toEqual(refused)
    expect(await calls(opened.access)).toEqual(ended)
  })

  test('and ends the session when a token two generations old is sent, even within the grace period', async () => {
    const { refresh: first } = await session()
    const second = tokensOf(await refresh(first))
    const third = tokensOf(await refresh(second.refresh))
    expect(problemOf(await refresh(first))).toEqual(refused)
    expect(problemOf(await refresh(third.refresh))).toEqual(refused)
    expect(await calls(third.access)).toEqual(ended)
  })

  test('and ends the session when a thief and the owner use the same tokens in turn', async () => {
    const opened = await session()
    const stolen = tokensOf(await refresh(opened.refresh))
    const owners = tokensOf(await refresh(opened.refresh))
    expect(owners.refresh).toBe(stolen.refresh)
    const next = tokensOf(await refresh(stolen.refresh))
    await wait(opened, 61)
    expect(problemOf(await refresh(owners.refresh))).toEqual(refused)
    expect(await calls(next.access)).toEqual(ended)
  })

  test('and ends the session when a used token is repeated more than ten times', async () => {
    const { access, refresh: token } = await session()
    for (let use = 0; use < 11; use += 1) tokensOf(await refresh(token))
    expect(problemOf(await refresh(token))).toEqual(refused)
    expect(await calls(access)).toEqual(ended)
  })

  test('for a session that was not refreshed for 14 days, which is in no list and keeps its token unused', async () => {
    const { person, access, refresh: token } = await session()
    const other = await newClient(service).openSession(person)
    await service.sql(`update session set last_used_at = now() - interval '14 days 1 second' where id = $1`, [
      sessionOf(access),
    ])
    expect(problemOf(await refresh(token))).toEqual(refused)
    expect(await listed(other.access)).not.toContain(sessionOf(access))
    const [spent] = await service.sql<{ count: number }>(
      `select count(spent_at)::int as count from refresh_token where session_id = $1`,
      [sessionOf(access)],
    )
    expect(spent?.count).toBe(0)
  })

  test('for an unknown token, another kind of token, an ended or expired session, and a disabled account', async () => {
    const over = await session()
    await newClient(service).post('/auth/sign-out', undefined, over.access)
    const expired = await session()
    await service.sql(`update session set expires_at = now() where account_id = $1`, [expired.person.id])
    const disabled = await session()
    await service.sql(`update account set disabled_at = now() where id = $1`, [disabled.person.id])
    const shortened = (await session()).refresh.slice(0, -1)
    for (const token of ['mrt_unknown', shortened, over.access, over.refresh, expired.refresh, disabled.refresh])
      expect(problemOf(await refresh(token))).toEqual(
        token === over.access ? { status: 400, code: 'input_invalid' } : refused,
      )
  })

  test('for a disabled account without using the token, which works when the account is enabled again', async () => {
    const { person, refresh: token } = await session()
    await service.sql(`update account set disabled_at = now() where id = $1`, [person.id])
    await refresh(token)
    await service.sql(`update account set disabled_at = null where id = $1`, [person.id])
    expect((await refresh(token)).status).toBe(200)
  })

  test('and records the reuse of a token', async () => {
    const opened = await session()
    await refresh(opened.refresh)
    await wait(opened, 61)
    await refresh(opened.refresh)
    const noted = await service.sql(`select 1 from audit_event where action = 'session.reused' and target_id = $1`, [
      sessionOf(opened.access),
    ])
    expect(noted).toHaveLength(1)
  })
})

describe('429', () => {
  test('limits a network to 60 unknown tokens a minute, while its users’ tokens still work', async () => {
    const flood = newClient(service)
    const unknown = () => flood.post('/auth/refresh', { refresh_token: 'mrt_unknown' })
    for (let n = 0; n < 60; n += 1) expect(problemOf(await unknown())).toEqual(refused)
    const late = await unknown()
    expect(problemOf(late)).toEqual({ status: 429, code: 'rate_limited' })
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    const { refresh: token } = await session()
    tokensOf(await flood.post('/auth/refresh', { refresh_token: token }))
    expect(problemOf(await refresh('mrt_unknown'))).toEqual(refused)
  })
})
