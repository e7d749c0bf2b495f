import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribe } from '../../support/billing-rows.ts'
import { problemOf } from '../../support/problem.ts'
import type { Answer, Person, Service } from '../../support/service.ts'
import { type Billed, startBilled } from '../../support/stripe.ts'

let billed: Billed
let service: Service
beforeAll(async () => {
  billed = await startBilled()
  service = billed.service
  await service.sql(
    `insert into role (id, name, for_members) values ('bare', 'Bare', false), ('checks', 'Checks', false)`,
  )
  await service.sql(`insert into role_grant values ('checks', 'provider_keys', 'validate')`)
  for (const { id, grants } of memberRoles) {
    await service.sql('insert into role (id, name, for_members) values ($1, $1, true)', [id])
    for (const grant of grants)
      await service.sql('insert into role_grant values ($1, $2, $3)', [id, ...grant.split(':')])
  }
  await service.sql(`update plan set is_default = false`)
  await service.sql(`insert into plan (id, name) values ('team', 'Team')`)
  await service.sql(`insert into plan_grant values ('team', 'provider_keys', 'validate')`)
  await service.sql(`insert into plan_price values ('price_team', 'team')`)
})
afterAll(() => billed.stop())

/** Each permission that a role for members can grant and an operation requires. */
const grants = ['provider_keys:validate', 'organization:read', 'organization:manage', 'billing:manage'] as const
type Grant = (typeof grants)[number]

/** A role for each set of these permissions. */
const memberRoles = Array.from({ length: 2 ** grants.length }, (_, bits) => ({
  id: `member_${bits}`,
  grants: grants.filter((_grant, index) => (bits >> index) % 2 === 1),
}))

const member = fc.record({
  role: fc.constantFrom(...memberRoles),
  requiresMfa: fc.constantFrom(false, false, true),
  status: fc.constantFrom(undefined, undefined, 'active', 'past_due', 'canceled'),
})
type Member = typeof member extends fc.Arbitrary<infer Value> ? Value : never

const user = fc.record({
  role: fc.constantFrom('bare', 'bare', 'checks'),
  status: fc.constantFrom(undefined, undefined, 'trialing', 'unpaid'),
  members: fc.array(member, { minLength: 1, maxLength: 4 }),
  sessions: fc.array(fc.record({ isStrong: fc.boolean(), chosen: fc.option(fc.nat(3), { nil: undefined }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  left: fc.option(fc.nat(3), { nil: undefined }),
})

/** More runs for a longer search. */
const numRuns = Number(process.env.MUSTER_TEST_RUNS ?? 12)

test('user data show as permitted in an organization exactly what operations permit there', async () => {
  await fc.assert(
    fc.asyncProperty(user, async ({ role, status, members, sessions, left }) => {
      const person = await service.person({ role })
      if (status !== undefined)
        await subscribe(service, { customer: `cus_${person.id}`, accountId: person.id, price: 'price_team', status })
      const orgs: (Member & { readonly id: string })[] = []
      for (const one of members) orgs.push({ ...one, id: await join(person, one, orgs.length) })
      const tokens = await Promise.all(sessions.map(async (one) => ({ ...one, token: await sessionOf(person, one) })))
      for (const { token, chosen } of tokens)
        if (chosen !== undefined) await choose(token, orgs[chosen % orgs.length]?.id)
      const gone = left === undefined || orgs.length === 1 ? undefined : orgs[left % orgs.length]
      if (gone) await service.sql('delete from membership where organization_id = $1', [gone.id])
      const own = role === 'checks' || status === 'trialing'
      await Promise.all(
        tokens.map(async ({ token, isStrong, chosen }) => {
          const remaining = orgs.filter((org) => org !== gone)
          await Promise.all(remaining.map((org) => expectSame(token, org, permittedIn(org, own, isStrong), org.id)))
          const current = remaining.find((org) => org === orgs[(chosen ?? -1) % orgs.length]) ?? remaining[0]
          if (current) await expectSame(token, current, permittedIn(current, own, isStrong))
          if (gone) expect(problemOf(await call(token, 'provider_keys:validate', gone.id, gone.id)).status).toBe(404)
        }),
      )
    }),
    { numRuns },
  )
}, 600_000)

/** What the rules grant, written independently of the service. */
function permittedIn({ role, requiresMfa, status }: Member, own: boolean, isStrong: boolean): readonly Grant[] {
  const counts = isStrong || !requiresMfa
  const pays = status === 'active' || status === 'past_due'
  return grants.filter((one) => {
    if (counts && role.grants.includes(one)) return true
    return one === 'provider_keys:validate' && (own || (counts && pays))
  })
}

/** `orgId`: names the organization in the requests; otherwise it is the current one. */
async function expectSame(token: string, org: { readonly id: string }, expected: readonly Grant[], orgId?: string) {
  const read = service.get(`/api/v1/user/data${orgId === undefined ? '' : `?orgId=${orgId}`}`, { token })
  const calls = grants.map(async (grant) => ((await isPermitted(token, grant, org.id, orgId)) ? [grant] : []))
  const { body } = await read
  const { orgId: shownId, permissions } = body as { orgId: string; permissions: Record<string, string[]> }
  const shown = Object.entries(permissions).flatMap(([resource, all]) => all.map((action) => `${resource}:${action}`))
  expect({ orgId: shownId, shown: shown.sort() }).toEqual({ orgId: org.id, shown: [...expected].sort() })
  expect((await Promise.all(calls)).flat()).toEqual(expected)
}

async function isPermitted(token: string, grant: Grant, pathId: string, orgId?: string): Promise<boolean> {
  const answer = await call(token, grant, pathId, orgId)
  const { status, code } = problemOf(answer)
  if (code === 'permission_missing' || code === 'step_up_required') return false
  // The permission was enough, and the request has nothing to do.
  expect([200, 400, 404], answer.text).toContain(status)
  expect(code, answer.text).not.toBe('organization_unknown')
  return true
}

/** A request that the permission is checked for, and that changes nothing. Only billing and key checks name no path. */
function call(token: string, grant: Grant, pathId: string, orgId?: string): Promise<Answer> {
  const query = orgId === undefined ? '' : `?orgId=${orgId}`
  if (grant === 'provider_keys:validate')
    return service.post(`/api/v1/provider/keys/validate${query}`, { token, body: {} })
  if (grant === 'organization:read') return service.get(`/api/v1/orgs/${pathId}/members`, { token })
  if (grant === 'organization:manage') return service.get(`/api/v1/orgs/${pathId}/invitations`, { token })
  // The payer is always named.
  return service.post(`/api/v1/billing/portal?orgId=${pathId}`, { token, body: { returnUrl: 'https://app.test/' } })
}

async function join({ id }: Person, { role, requiresMfa, status }: Member, place: number): Promise<string> {
  const [row] = await service.sql<{ id: string }>(
    `with o as (insert into organization (name, requires_mfa) values ('Engines', $1) returning id)
     insert into membership (organization_id, account_id, role_id, joined_at)
     select id, $2, $3, now() + make_interval(secs => $4) from o returning organization_id as id`,
    [requiresMfa, id, role.id, place],
  )
  const orgId = String(row?.id)
  if (status !== undefined) await subscribe(service, { customer: `cus_${orgId}`, orgId, price: 'price_team', status })
  return orgId
}

async function sessionOf({ id }: Person, { isStrong }: { readonly isStrong: boolean }): Promise<string> {
  const token = await service.tokenFor(id)
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  if (isStrong) await service.sql(`update session set amr = '{pwd,otp,mfa}' where id = $1`, [sid])
  return token
}

async function choose(token: string, orgId: string | undefined): Promise<void> {
  expect((await service.call('PUT', '/auth/current-organization', { token, body: { orgId } })).status).toBe(200)
}
