import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../support/problem.ts'
import { type Service, testInProcess } from '../support/service.ts'
import { newClient, startIssuer, tokensOf } from './test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const refused = { status: 401, code: 'refresh_refused' }
const refresh = (refresh_token: string) => newClient(service).post('/auth/refresh', { refresh_token })
const calls = async (token: string) => problemOf(await service.get('/api/v1/user/data', { token }))

async function session() {
  const person = await service.person()
  return { person, ...(await newClient(service).openSession(person)) }
}

describe('200', () => {
  test('each exchange returns the next token, and an access token of the same session', async () => {
    const { access, refresh: first } = await session()
    const second = tokensOf(await refresh(first))
    const third = tokensOf(await refresh(second.refresh))
    expect(new Set([first, second.refresh, third.refresh]).size).toBe(3)
    const sessionOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
    expect(sessionOf(third.access)).toBe(sessionOf(access))
    expect(await calls(third.access)).toMatchObject({ status: 200 })
  })

  test('the database stores only a hash', async () => {
    const { refresh: token } = await session()
    const [found] = await service.sql<{ all: string }>(
      `select string_agg(to_json(t)::text, ' ') as all from refresh_token t`,
    )
    expect(found?.all).not.toContain(token)
    expect(found?.all).not.toContain(Buffer.from(token).toString('hex'))
  })
})

describe('401', () => {
  test('refresh_refused — a token used a second time ends the session, and the newest token stops working', async () => {
    const { refresh: first } = await session()
    const second = tokensOf(await refresh(first))
    const third = tokensOf(await refresh(second.refresh))
    expect(problemOf(await refresh(first))).toEqual(refused)
    expect(problemOf(await refresh(third.refresh))).toEqual(refused)
    expect(await calls(third.access)).toEqual({ status: 401, code: 'session_ended' })
  })

  testInProcess(
    'refresh_refused — of 200 parallel exchanges of one token exactly one succeeds, and the session ends',
    async () => {
      const { access, refresh: token } = await session()
      const answers = await Promise.all(Array.from({ length: 200 }, () => refresh(token)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 200)) expect(problemOf(answer)).toEqual(refused)
      expect(await calls(access)).toEqual({ status: 401, code: 'session_ended' })
      const winner = answers.find(({ status }) => status === 200)
      expect(problemOf(await refresh(winner ? tokensOf(winner).refresh : ''))).toEqual(refused)
    },
  )

  test('refresh_refused — an unknown token, another kind of token, an ended or expired session, a disabled account', async () => {
    const ended = await session()
    await newClient(service).post('/auth/sign-out', undefined, ended.access)
    const expired = await session()
    await service.sql(`update session set expires_at = now() where account_id = $1`, [expired.person.id])
    const disabled = await session()
    await service.sql(`update account set disabled_at = now() where id = $1`, [disabled.person.id])
    for (const token of ['mrt_unknown', ended.access, ended.refresh, expired.refresh, disabled.refresh])
      expect(problemOf(await refresh(token))).toEqual(
        token === ended.access ? { status: 400, code: 'input_invalid' } : refused,
      )
  })

  test('a refused exchange of a disabled account leaves the token unused, and it works when the account is enabled again', async () => {
    const { person, refresh: token } = await session()
    await service.sql(`update account set disabled_at = now() where id = $1`, [person.id])
    await refresh(token)
    await service.sql(`update account set disabled_at = null where id = $1`, [person.id])
    expect((await refresh(token)).status).toBe(200)
  })

  test('reuse is audited', async () => {
    const { refresh: token } = await session()
    await refresh(token)
    await refresh(token)
    const noted = await service.sql(`select 1 from audit_event where action = 'session.reused'`)
    expect(noted.length).toBeGreaterThan(0)
  })
})
