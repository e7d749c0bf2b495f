import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../support/problem.ts'
import type { Service } from '../support/service.ts'
import { startIssuer, tokensOf, visitorOf } from './test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const refused = { status: 401, code: 'refresh_refused' }
const refresh = (refresh_token: string) => visitorOf(service).post('/auth/refresh', { refresh_token })
const calls = async (token: string) => problemOf(await service.get('/api/v1/user/data', { token }))

async function session() {
  const person = await service.person()
  return { person, ...(await visitorOf(service).enter(person)) }
}

describe('200', () => {
  test('each token is answered with the next one, and an access token of the same session', async () => {
    const { access, refresh: first } = await session()
    const second = tokensOf(await refresh(first))
    const third = tokensOf(await refresh(second.refresh))
    expect(new Set([first, second.refresh, third.refresh]).size).toBe(3)
    const sessionOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
    expect(sessionOf(third.access)).toBe(sessionOf(access))
    expect(await calls(third.access)).toMatchObject({ status: 200 })
  })

  test('only a hash is stored', async () => {
    const { refresh: token } = await session()
    const [found] = await service.sql<{ all: string }>(
      `select string_agg(to_json(t)::text, ' ') as all from refresh_token t`,
    )
    expect(found?.all).not.toContain(token)
    expect(found?.all).not.toContain(Buffer.from(token).toString('hex'))
  })
})

describe('401', () => {
  test('refresh_refused — a token used a second time ends the session, for whoever holds the newest token as well', async () => {
    const { refresh: first } = await session()
    const second = tokensOf(await refresh(first))
    const third = tokensOf(await refresh(second.refresh))
    expect(problemOf(await refresh(first))).toEqual(refused)
    expect(problemOf(await refresh(third.refresh))).toEqual(refused)
    expect(await calls(third.access)).toEqual({ status: 401, code: 'session_ended' })
  })

  test('refresh_refused — of 200 parallel uses of one token exactly one wins, and the session ends', async () => {
    const { access, refresh: token } = await session()
    const answers = await Promise.all(Array.from({ length: 200 }, () => refresh(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(problemOf(answer)).toEqual(refused)
    expect(await calls(access)).toEqual({ status: 401, code: 'session_ended' })
    const winner = answers.find(({ status }) => status === 200)
    expect(problemOf(await refresh(winner ? tokensOf(winner).refresh : ''))).toEqual(refused)
  })

  test('refresh_refused — unknown, of another kind, of an ended or expired session, of a disabled account', async () => {
    const ended = await session()
    await visitorOf(service).post('/auth/sign-out', undefined, ended.access)
    const expired = await session()
    await service.sql(`update session set expires_at = now() where account_id = $1`, [expired.person.id])
    const disabled = await session()
    await service.sql(`update account set disabled_at = now() where id = $1`, [disabled.person.id])
    for (const token of ['mrt_unknown', ended.access, ended.refresh, expired.refresh, disabled.refresh])
      expect(problemOf(await refresh(token))).toEqual(
        token === ended.access ? { status: 400, code: 'input_invalid' } : refused,
      )
  })

  test('a disabled account’s token is not spent, so that no alarm follows when it is enabled again', async () => {
    const { person, refresh: token } = await session()
    await service.sql(`update account set disabled_at = now() where id = $1`, [person.id])
    await refresh(token)
    await service.sql(`update account set disabled_at = null where id = $1`, [person.id])
    expect((await refresh(token)).status).toBe(200)
  })

  test('reuse is noted with the session', async () => {
    const { refresh: token } = await session()
    await refresh(token)
    await refresh(token)
    const noted = await service.sql(`select 1 from audit_event where action = 'session.reused'`)
    expect(noted.length).toBeGreaterThan(0)
  })
})
