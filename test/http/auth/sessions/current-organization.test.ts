import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type CloudflareSimulator, startCloudflareSimulator } from '../../../../simulators/cloudflare/server.ts'
import { samples } from '../../../../simulators/cloudflare/state.ts'
import { subscribe } from '../../../support/billing-rows.ts'
import { holdRows } from '../../../support/blocked.ts'
import { issuerForTest } from '../../../support/issuer.ts'
import { problemOf } from '../../../support/problem.ts'
import { type Answer, type Person, type Service, serviceForTest, startService } from '../../../support/service.ts'
import { newKey } from '../../../support/service-keys.ts'

/** An unused UUID. */
const unknown = '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55'
const choosePath = '/auth/current-organization'
const dataPath = '/api/v1/user/data'
const checkPath = '/api/v1/provider/keys/validate'
const batchPath = '/api/v1/provider/keys/validate-batch'

const body = { apiKey: samples.userToken, keyType: 'api_token' }
const granted = { status: 200, code: undefined }
const refused = { status: 403, code: 'permission_missing' }
const notFound = { status: 404, code: 'organization_unknown' }

let simulator: CloudflareSimulator
let service: Service
beforeAll(async () => {
  simulator = await startCloudflareSimulator()
  service = await startService({
    env: {
      MUSTER_CLOUDFLARE_URL: simulator.url,
      MUSTER_KEY_CHECKS_PER_MINUTE: '100000',
      MUSTER_READS_PER_MINUTE: '100000',
      MUSTER_WRITES_PER_MINUTE: '100000',
    },
  })
  await prepare(service)
})
afterAll(async () => {
  await service.stop()
  await simulator.close()
})

/** The role `bare` grants nothing. The roles `checker` and `owner` and the plan `team` grant key checks. */
async function prepare({ sql }: Service): Promise<void> {
  await sql(`insert into role (id, name, for_members)
    values ('bare', 'Bare', false), ('checker', 'Checker', true), ('reader', 'Reader', true)`)
  await sql(
    `insert into role_grant values ('checker', 'provider_keys', 'validate'), ('owner', 'provider_keys', 'validate')`,
  )
  await sql(`delete from plan_grant where plan_id = 'free'`)
  await sql(`insert into plan (id, name) values ('team', 'Team')`)
  await sql(`insert into plan_grant values ('team', 'provider_keys', 'validate')`)
  await sql(`insert into plan_price values ('price_team', 'team')`)
}

async function organization(name = 'Engines'): Promise<string> {
  const [row] = await service.sql<{ id: string }>('insert into organization (name) values ($1) returning id', [name])
  return String(row?.id)
}

const join = (orgId: string, accountId: string, role: string) =>
  service.sql('insert into membership (organization_id, account_id, role_id) values ($1, $2, $3)', [
    orgId,
    accountId,
    role,
  ])

/** A user whose role grants nothing, who first joined `first` as a reader, and then `second` with the role `role`. */
async function memberOfTwo(role = 'checker'): Promise<{ person: Person; first: string; second: string }> {
  const person = await service.person({ role: 'bare' })
  const [first, second] = [await organization('First'), await organization('Second')]
  await join(first, person.id, 'reader')
  await join(second, person.id, role)
  return { person, first, second }
}

const choose = (token: string, orgId: unknown) => service.call('PUT', choosePath, { token, body: { orgId } })
const data = async (token: string, query = '') => (await service.get(dataPath + query, { token })).body
const check = async (token: string, query = '') => problemOf(await service.post(checkPath + query, { token, body }))
const batch = async (token: string, query = '') =>
  problemOf(await service.post(batchPath + query, { token, body: { keys: [body] } }))
const orgIdOf = ({ body: tokens }: Answer) => decodeJwt((tokens as { access_token: string }).access_token).org_id

const refresh = (refresh_token: string) => service.post('/auth/refresh', { body: { refresh_token } })

interface SignedIn {
  readonly access_token: string
  readonly refresh_token: string
}

async function signIn({ email, password }: Person): Promise<SignedIn> {
  const { body: tokens } = await service.post('/auth/sign-in', { body: { email, password } })
  return tokens as SignedIn
}

describe('the organization that a request names', () => {
  test.each([
    ['one key', check],
    ['many keys', batch],
  ])('decides whether its member may check %s, by the role there', async (_, ask) => {
    const { person, first, second } = await memberOfTwo()
    expect(await ask(person.token)).toEqual(refused)
    expect(await ask(person.token, `?orgId=${first}`)).toEqual(refused)
    expect(await ask(person.token, `?orgId=${second}`)).toEqual(granted)
    expect(await data(person.token, `?orgId=${second}`)).toMatchObject({
      orgId: second,
      permissions: { provider_keys: ['validate'] },
    })
  })

  test('decides whether its member may check keys, by the plan that it pays for', async () => {
    const { person, first, second } = await memberOfTwo('reader')
    await subscribe(service, { customer: `cus_${second}`, orgId: second, price: 'price_team', status: 'active' })
    expect(await check(person.token, `?orgId=${second}`)).toEqual(granted)
    expect(await check(person.token, `?orgId=${first}`)).toEqual(refused)
  })

  test('overrules the chosen one, for this request only', async () => {
    const { person, first, second } = await memberOfTwo()
    expect((await choose(person.token, second)).status).toBe(200)
    expect(await check(person.token, `?orgId=${first}`)).toEqual(refused)
    expect(await data(person.token, `?orgId=${first}`)).toMatchObject({ orgId: first, permissions: {} })
    expect(await check(person.token)).toEqual(granted)
  })

  test('is 404 for callers who are not members, also if their own role would be enough', async () => {
    const admin = await service.person({ role: 'admin' })
    expect(await check(admin.token)).toEqual(granted)
    for (const orgId of [await organization(), unknown])
      for (const ask of [check, batch]) expect(await ask(admin.token, `?orgId=${orgId}`)).toEqual(notFound)
  })

  test('needs a second factor if that organization requires one, whatever the current one requires', async () => {
    const { person, second } = await memberOfTwo()
    await service.sql('update organization set requires_mfa = true where id = $1', [second])
    expect(await check(person.token, `?orgId=${second}`)).toEqual({ status: 401, code: 'step_up_required' })
    expect(await check(person.token)).toEqual(refused)
  })

  test('must be one UUID in lower case: 400 names the parameter', async () => {
    const { person, second } = await memberOfTwo()
    const errors = [expect.objectContaining({ parameter: 'orgId' })]
    for (const query of [
      `?orgId=${second.toUpperCase()}`,
      '?orgId=',
      '?orgId=second',
      `?orgId=${second}&orgId=${second}`,
    ])
      for (const path of [checkPath, batchPath]) {
        const answer = await service.post(path + query, { token: person.token, body })
        expect(answer, query).toMatchObject({ status: 400, body: { code: 'input_invalid', errors } })
      }
  })

  test('must be the one of a service key that belongs to an organization, and exist for any other key', async () => {
    const admin = await service.person({ role: 'admin' })
    const [own, other] = [await organization(), await organization()]
    const bound = await newKey(service, admin, { orgId: own, permissions: { provider_keys: ['validate'] } })
    const free = await newKey(service, admin, { permissions: { provider_keys: ['validate'] } })
    for (const ask of [check, batch]) {
      expect(await ask(bound.key)).toEqual(granted)
      expect(await ask(bound.key, `?orgId=${own}`)).toEqual(granted)
      expect(await ask(bound.key, `?orgId=${other}`)).toEqual(notFound)
      expect(await ask(free.key, `?orgId=${other}`)).toEqual(granted)
      expect(await ask(free.key, `?orgId=${unknown}`)).toEqual(notFound)
    }
  })
})

describe('PUT /auth/current-organization', () => {
  test('applies to the next request with the same token, and returns a token that names it', async () => {
    const { person, first, second } = await memberOfTwo()
    expect(await data(person.token)).toMatchObject({ orgId: first, permissions: {} })
    const chosen = await choose(person.token, second)
    expect(chosen).toMatchObject({ status: 200 })
    expect(chosen.body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 900 })
    expect(orgIdOf(chosen)).toBe(second)
    const { access_token: successor } = chosen.body as { access_token: string }
    for (const token of [person.token, successor]) {
      expect(await data(token)).toMatchObject({ orgId: second, permissions: { provider_keys: ['validate'] } })
      expect(await check(token)).toEqual(granted)
      expect(await batch(token)).toEqual(granted)
    }
  })

  test('returns to the organization joined first with null', async () => {
    const { person, first, second } = await memberOfTwo()
    await choose(person.token, second)
    expect(orgIdOf(await choose(person.token, null))).toBe(first)
    expect(await data(person.token)).toMatchObject({ orgId: first })
    expect(await check(person.token)).toEqual(refused)
  })

  test('survives every refresh, and a refresh that is sent again', async () => {
    const { person, second } = await memberOfTwo()
    let { access_token: token, refresh_token: refreshToken } = await signIn(person)
    await choose(token, second)
    for (const _ of [1, 2, 3]) {
      const refreshed = await refresh(refreshToken)
      expect(orgIdOf(refreshed)).toBe(second)
      expect(orgIdOf(await refresh(refreshToken))).toBe(second)
      ;({ access_token: token, refresh_token: refreshToken } = refreshed.body as SignedIn)
      expect(await data(token)).toMatchObject({ orgId: second })
    }
  })

  test('never ends the session, while pages refresh the same token', async () => {
    const { person, first, second } = await memberOfTwo()
    let { access_token: token, refresh_token: refreshToken } = await signIn(person)
    for (const orgId of [second, first, second, null, second]) {
      // A switcher that loads the page again refreshes before the former page has its answer.
      const [chosen, refreshed, again] = await Promise.all([
        choose(token, orgId),
        refresh(refreshToken),
        refresh(refreshToken),
      ])
      expect([chosen, refreshed, again].map(({ status }) => status)).toEqual([200, 200, 200])
      expect(await data(token)).toMatchObject({ orgId: orgId ?? first })
      ;({ access_token: token, refresh_token: refreshToken } = refreshed.body as SignedIn)
      expect(await data(token)).toMatchObject({ orgId: orgId ?? first })
    }
    expect(orgIdOf(await refresh(refreshToken))).toBe(second)
  })

  test('is in the token of a refresh that waited for it', async () => {
    const { person, second } = await memberOfTwo()
    const { access_token, refresh_token } = await signIn(person)
    const { sid } = decodeJwt(access_token)
    const held = await holdRows(service.fresh, [
      ['update session set organization_id = $2 where id = $1', [sid, second]],
    ])
    const refreshed = refresh(refresh_token)
    await held.commitOnce(refreshed)
    expect(orgIdOf(await refreshed)).toBe(second)
  })

  test('changes its own session only: two tabs with two sessions have two current organizations', async () => {
    const { person, first, second } = await memberOfTwo()
    const [one, other] = [await signIn(person), await signIn(person)]
    await choose(one.access_token, second)
    await choose(other.access_token, first)
    expect(await data(one.access_token)).toMatchObject({ orgId: second })
    expect(await data(other.access_token)).toMatchObject({ orgId: first })
    expect(await check(one.access_token)).toEqual(granted)
    expect(await check(other.access_token)).toEqual(refused)
    // Concurrent requests of both sessions share one statement.
    const both = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other).access_token)
    const orgIds = (await Promise.all(both.map((token) => data(token)))).map((found) => Object(found).orgId)
    expect(orgIds).toEqual(both.map((_, index) => (index % 2 === 0 ? second : first)))
  })

  test('ends with its session: the next one starts with the organization joined first', async () => {
    const { person, first, second } = await memberOfTwo()
    const { access_token } = await signIn(person)
    await choose(access_token, second)
    expect((await service.post('/auth/sign-out', { token: access_token })).status).toBe(204)
    expect(problemOf(await choose(access_token, second))).toEqual({ status: 401, code: 'session_ended' })
    const next = await signIn(person)
    expect(decodeJwt(next.access_token).org_id).toBe(first)
    expect(await data(next.access_token)).toMatchObject({ orgId: first })
  })

  test('is 404 for organizations of others, and keeps the choice', async () => {
    const { person, second } = await memberOfTwo()
    await choose(person.token, second)
    for (const orgId of [await organization(), unknown])
      expect(problemOf(await choose(person.token, orgId))).toEqual(notFound)
    expect(await data(person.token)).toMatchObject({ orgId: second })
  })

  test('is 400 without an id: a name, an upper-case id and a missing member are no organization', async () => {
    const { person, second } = await memberOfTwo()
    for (const orgId of ['Second', second.toUpperCase(), '', 7, [second], undefined]) {
      const errors = [expect.objectContaining({ pointer: '/orgId' })]
      const answer = await choose(person.token, orgId)
      expect(answer, String(orgId)).toMatchObject({ status: 400, body: { code: 'input_invalid', errors } })
    }
  })

  test('is not for service keys, sessions of other issuers and administrators who act as a user', async () => {
    const admin = await service.person({ role: 'admin' })
    const { person, first, second } = await memberOfTwo()
    const { key } = await newKey(service, admin)
    expect(problemOf(await choose(key, second))).toEqual({ status: 403, code: 'caller_not_a_person' })
    const acting = { token: admin.token, headers: { 'act-as': person.id } }
    const reason = { reason: 'Ticket 1' }
    const started = await service.post(`/api/v1/admin/users/${person.id}/act-as`, { token: admin.token, body: reason })
    expect(started.status).toBeLessThan(300)
    const answer = await service.call('PUT', choosePath, { ...acting, body: { orgId: second } })
    expect(problemOf(answer)).toEqual({ status: 403, code: 'act_as_read_only' })
    // The administrator has no session of the user, so the choices of the user's sessions do not count.
    await choose(person.token, second)
    expect((await service.get(dataPath, acting)).body).toMatchObject({ orgId: first })
    expect((await service.get(`${dataPath}?orgId=${second}`, acting)).body).toMatchObject({ orgId: second })
  })

  test('changes the ETag of user data, so that no client keeps the data of the former organization', async () => {
    const { person, second } = await memberOfTwo()
    const before = await service.get(dataPath, { token: person.token })
    const headers = { 'if-none-match': String(before.headers.etag) }
    expect((await service.get(dataPath, { token: person.token, headers })).status).toBe(304)
    await choose(person.token, second)
    const after = await service.get(dataPath, { token: person.token, headers })
    expect(after).toMatchObject({ status: 200, body: { orgId: second } })
  })

  test('has no org_id in tokens of users without an organization, until they join the first one', async () => {
    const person = await service.person({ role: 'bare' })
    const answer = await choose(person.token, null)
    expect(decodeJwt((answer.body as { access_token: string }).access_token)).not.toHaveProperty('org_id')
    expect(await data(person.token)).not.toHaveProperty('orgId')
    expect(await check(person.token)).toEqual(refused)
    const only = await organization()
    await join(only, person.id, 'checker')
    expect(await data(person.token)).toMatchObject({ orgId: only })
    expect(await check(person.token)).toEqual(granted)
    expect(orgIdOf(await choose(person.token, null))).toBe(only)
  })
})

describe('the current organization of a session, after its user', () => {
  const endings: Readonly<Record<string, (orgId: string, person: Person) => Promise<unknown>>> = {
    'has left it': async (orgId, { token }) =>
      expect((await service.post(`/api/v1/orgs/${orgId}/leave`, { token })).status).toBe(204),
    'was removed from it': async (orgId, { id }) => {
      const owner = await service.person()
      await join(orgId, owner.id, 'owner')
      const removed = await service.call('DELETE', `/api/v1/orgs/${orgId}/members/${id}`, { token: owner.token })
      expect(removed.status).toBe(204)
    },
    'and everybody else lost it': (orgId) => service.sql('delete from organization where id = $1', [orgId]),
  }

  test.each(Object.keys(endings))('%s, is the one joined first at once', async (ending) => {
    const { person, first, second } = await memberOfTwo()
    const { access_token, refresh_token } = await signIn(person)
    const chosen = await choose(access_token, second)
    const { access_token: token } = chosen.body as { access_token: string }
    await endings[ending]?.(second, person)
    expect(await data(token)).toMatchObject({ orgId: first, permissions: {} })
    expect(await check(token)).toEqual(refused)
    expect(await check(token, `?orgId=${second}`)).toEqual(notFound)
    expect(problemOf(await choose(token, second))).toEqual(notFound)
    expect(orgIdOf(await refresh(refresh_token))).toBe(first)
  })

  test('has left the last one, is none', async () => {
    const person = await service.person()
    const only = await organization()
    await join(only, person.id, 'reader')
    await choose(person.token, only)
    expect((await service.post(`/api/v1/orgs/${only}/leave`, { token: person.token })).status).toBe(204)
    expect(await data(person.token)).not.toHaveProperty('orgId')
    expect(orgIdOf(await choose(person.token, null))).toBeUndefined()
  })

  test('stays the same when the user joins or creates another organization', async () => {
    const { person, first, second } = await memberOfTwo()
    await choose(person.token, second)
    await join(await organization(), person.id, 'owner')
    expect(await data(person.token)).toMatchObject({ orgId: second })
    await choose(person.token, null)
    await join(await organization(), person.id, 'owner')
    expect(await data(person.token)).toMatchObject({ orgId: first })
  })

  test('is the chosen one again when the user joins it again', async () => {
    const { person, first, second } = await memberOfTwo()
    await choose(person.token, second)
    expect((await service.post(`/api/v1/orgs/${second}/leave`, { token: person.token })).status).toBe(204)
    expect(await data(person.token)).toMatchObject({ orgId: first })
    await join(second, person.id, 'checker')
    expect(await data(person.token)).toMatchObject({ orgId: second, permissions: { provider_keys: ['validate'] } })
  })

  test.each(['another organization', 'this organization'])(
    'is not chosen while the organization is being deleted: the request of a session in %s waits, and is 404',
    async (before) => {
      const { person, first, second } = await memberOfTwo()
      await choose(person.token, before === 'this organization' ? second : first)
      const client = await service.fresh.database.connect()
      onTestFinished(() => client.end())
      await client.query('begin')
      await client.query('delete from organization where id = $1', [second])
      const answer = choose(person.token, second)
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%update session s set organization_id%'`
      await expect.poll(() => service.sql(waiting)).toHaveLength(1)
      await client.query('commit')
      expect(problemOf(await answer)).toEqual(notFound)
      expect(await data(person.token)).toMatchObject({ orgId: first })
    },
  )
})

describe('the claim of another issuer that the entry names', () => {
  const claim = 'https://app.example.com/org'

  /** A user of another issuer, in two organizations; may check keys in the second one. */
  async function memberElsewhere() {
    const issuer = await issuerForTest()
    const entry = { issuer: issuer.name, algorithms: ['ES256'], audience: 'muster-api' }
    const claims = { session: 'sid', organization: claim }
    const alone = await serviceForTest({
      env: { MUSTER_CLOUDFLARE_URL: simulator.url, MUSTER_ISSUERS: JSON.stringify([{ ...entry, claims }]) },
    })
    await prepare(alone)
    const mint = (organizationClaims: object) => issuer.mint({ sid: 's', ...organizationClaims })
    await alone.get(dataPath, { token: await mint({}) })
    await alone.sql(
      `update account set role_id = 'bare' where id in (select account_id from identity where issuer = $1)`,
      [issuer.name],
    )
    const orgIds = ['First', 'Second'].map(async (name, index) => {
      const [row] = await alone.sql<{ id: string }>(
        `with o as (insert into organization (name) values ($1) returning id)
         insert into membership (organization_id, account_id, role_id, joined_at)
         select o.id, i.account_id, $2, now() + make_interval(secs => $3) from o, identity i where i.issuer = $4
         returning organization_id as id`,
        [name, index === 0 ? 'reader' : 'checker', index, issuer.name],
      )
      return String(row?.id)
    })
    const [first = '', second = ''] = await Promise.all(orgIds)
    return { alone, mint, first, second }
  }

  test('chooses the current organization for each token', async () => {
    const { alone, mint, first, second } = await memberElsewhere()
    const [plain, chosen] = [await mint({}), await mint({ [claim]: second })]
    expect((await alone.get(dataPath, { token: plain })).body).toMatchObject({ orgId: first, permissions: {} })
    expect((await alone.get(dataPath, { token: chosen })).body).toMatchObject({ orgId: second })
    expect(problemOf(await alone.post(checkPath, { token: plain, body }))).toEqual(refused)
    expect(problemOf(await alone.post(checkPath, { token: chosen, body }))).toEqual(granted)
    const named = await alone.post(`${checkPath}?orgId=${first}`, { token: chosen, body })
    expect(problemOf(named)).toEqual(refused)
    // Their issuer keeps the choice.
    const answer = await alone.call('PUT', choosePath, { token: chosen, body: { orgId: second } })
    expect(problemOf(answer)).toEqual({ status: 403, code: 'session_foreign' })
  })

  test('is ignored if its value is not an organization of the user', async () => {
    const { alone, mint, first, second } = await memberElsewhere()
    const [row] = await alone.sql<{ id: string }>(`insert into organization (name) values ('Others') returning id`)
    const values = [row?.id, unknown, 'org_2abcDEF', second.toUpperCase(), '', null, 7, [second], { id: second }]
    for (const value of values) {
      const token = await mint({ [claim]: value })
      const place = JSON.stringify(value)
      expect((await alone.get(dataPath, { token })).body, place).toMatchObject({ orgId: first, permissions: {} })
      expect(problemOf(await alone.post(checkPath, { token, body })), place).toEqual(refused)
    }
  })

  test('is ignored at once in a token that was issued before the membership ended', async () => {
    const { alone, mint, first, second } = await memberElsewhere()
    const token = await mint({ [claim]: second })
    expect((await alone.get(dataPath, { token })).body).toMatchObject({ orgId: second })
    expect((await alone.post(`/api/v1/orgs/${second}/leave`, { token })).status).toBe(204)
    expect((await alone.get(dataPath, { token })).body).toMatchObject({ orgId: first, permissions: {} })
    expect(problemOf(await alone.post(checkPath, { token, body }))).toEqual(refused)
    expect(problemOf(await alone.post(`${checkPath}?orgId=${second}`, { token, body }))).toEqual(notFound)
  })

  test('counts only under the name in the entry', async () => {
    const { alone, mint, first, second } = await memberElsewhere()
    for (const name of ['org_id', 'orgId', 'organization', 'o'])
      expect((await alone.get(dataPath, { token: await mint({ [name]: second }) })).body).toMatchObject({
        orgId: first,
      })
  })
})
