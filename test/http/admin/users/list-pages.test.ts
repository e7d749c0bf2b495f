import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, type Service, startService } from '../../../support/service.ts'

let service: Service
let admin: Person

beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin', email: 'root@muster.test' })
})
afterAll(() => service.stop())

const sorts = ['created', '-created', 'email', '-email'] as const
const statuses = ['active', 'disabled'] as const

/** Concurrent changes between two pages. They do not touch the accounts in the list. */
const change = fc.oneof(
  fc.record({ what: fc.constant('insert' as const), seconds: fc.integer({ min: 0, max: 60 }), letter: fc.nat(25) }),
  fc.record({ what: fc.constant('delete' as const), nth: fc.nat(100) }),
  fc.record({ what: fc.constant('update' as const), nth: fc.nat(100), letter: fc.nat(25) }),
)

const person = fc.record({
  // Few distinct times and emails, so that ties are common.
  seconds: fc.integer({ min: 0, max: 20 }),
  email: fc.option(fc.constantFrom('a@x.example', 'A@x.example', 'b@y.example', 'ba@y.example', 'z@z.example')),
  role: fc.constantFrom('user', 'admin'),
  isDisabled: fc.boolean(),
  isMember: fc.boolean(),
})

const question = fc.record(
  {
    sort: fc.constantFrom(...sorts),
    status: fc.constantFrom(...statuses),
    role: fc.constantFrom('user', 'admin'),
    email: fc.constantFrom('a@', 'x.exa', '.', 'EXAMPLE', 'y'),
    isMember: fc.constant(true),
  },
  { requiredKeys: [] },
)

test('lists each remaining user exactly once while others are added, deleted and changed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { maxLength: 25 }),
      fc.array(person, { minLength: 1, maxLength: 10 }),
      question,
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
      fc.array(change, { maxLength: 12 }),
      async (stays, others, asked, limits, changes) => {
        const { orgId, staying, passing } = await populate(stays, others)
        const { isMember, ...parameters } = asked
        const expected = staying.filter((_, index) => {
          const one = stays[index]
          return one !== undefined && fits(one, asked)
        })

        const seen: string[] = []
        const path = `/api/v1/admin/users/fetch?${new URLSearchParams({ ...parameters, ...(isMember && { orgId }) })}`
        let next: string | undefined = `${path}&limit=${limits[0]}`
        for (let page = 0; next !== undefined; page += 1) {
          const answer = await service.get(next, { token: admin.token })
          seen.push(...(answer.body as { users: { id: string }[] }).users.map(({ id }) => id))
          const link = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1]
          next = link?.replace(/limit=\d+/, `limit=${limits[page % limits.length]}`)
          const meanwhile = changes[page]
          if (meanwhile && next) await disturb(meanwhile, passing, orgId)
        }
        const ofStaying = seen.filter((id) => staying.includes(id))
        expect([...ofStaying].sort()).toEqual([...expected].sort())
      },
    ),
    { numRuns: 20 },
  )
})

type One = typeof person extends fc.Arbitrary<infer T> ? T : never
type Asked = typeof question extends fc.Arbitrary<infer T> ? T : never
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function fits(one: One, { status, role, email, isMember }: Asked): boolean {
  return (
    (status === undefined || one.isDisabled === (status === 'disabled')) &&
    (role === undefined || one.role === role) &&
    (email === undefined || (one.email ?? '').toLowerCase().includes(email.toLowerCase())) &&
    (isMember === undefined || one.isMember)
  )
}

async function populate(stays: readonly One[], others: readonly One[]) {
  await service.sql(`delete from account where id <> $1`, [admin.id])
  await service.sql('delete from organization')
  const [org] = await service.sql<{ id: string }>(`insert into organization (name) values ('One') returning id`)
  const orgId = org?.id ?? ''
  const ids = await service.sql<{ id: string }>(
    `with new as (
       select uuid_v7() as id, one, n from json_array_elements($1::json) with ordinality as list (one, n)
     ), made as (
       insert into account (id, email, role_id, created_at, disabled_at)
       select id, one->>'email', one->>'role', timestamptz '2026-01-01' + (one->>'seconds')::int * interval '1 s',
              case when (one->>'isDisabled')::bool then now() end
       from new
     ), joined as (
       insert into membership (organization_id, account_id) select $2, id from new where (one->>'isMember')::bool
     )
     select id from new order by n`,
    [JSON.stringify([...stays, ...others]), orgId],
  )
  const all = ids.map(({ id }) => id)
  return { orgId, staying: all.slice(0, stays.length), passing: all.slice(stays.length) }
}

async function disturb(what: Change, passing: readonly string[], orgId: string): Promise<void> {
  if (what.what === 'insert')
    await service.sql(
      `with new as (insert into account (email, created_at)
         values ($1, timestamptz '2026-01-01' + $2 * interval '1 s') returning id)
       insert into membership (organization_id, account_id) select $3, id from new`,
      [`${letterOf(what.letter)}@x.example`, what.seconds, orgId],
    )
  const victim = 'nth' in what ? passing[what.nth % passing.length] : undefined
  if (what.what === 'delete') await service.sql('delete from account where id = $1', [victim])
  if (what.what === 'update')
    await service.sql('update account set email = $2, disabled_at = null where id = $1', [
      victim,
      `${letterOf(what.letter)}@y.example`,
    ])
}

function letterOf(index: number): string {
  return String.fromCharCode(97 + index)
}
