import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { builtInIssuer } from '../../src/identity/issuers/names.ts'
import { Secret } from '../../src/platform/secret.ts'
import { hashPassword } from '../../src/sign-in/passwords/passwords.ts'
import { ownServer } from '../support/own-server.ts'
import { connect, type ServiceProcess, startProcessOfService } from '../support/service-process.ts'

const password = 'correct horse'

/** A server with 10 connections, 3 of them reserved for superusers. */
async function administrator(sql: (text: string, values?: readonly unknown[]) => Promise<unknown>): Promise<string> {
  const email = 'admin@example.com'
  const hash = await hashPassword(new Secret(password))
  await sql(
    `with made as (insert into account (email, role_id) values ($1, 'admin') returning id),
       known as (insert into identity (issuer, subject, account_id) select $3, id::text, id from made)
     insert into credential (account_id, email, password) select id, $1, $2 from made`,
    [email, hash, builtInIssuer],
  )
  return email
}

async function signIn({ url }: ServiceProcess, email: string) {
  const { status, text } = await connect(url).post('/auth/sign-in', { email, password })
  expect(status, text).toBe(200)
  return { authorization: `Bearer ${JSON.parse(text).access_token}` }
}

for (const isBusyFirst of [false, true])
  test(`two nodes share ten connections: lists, health checks and changes of both succeed${isBusyFirst ? ', although the first was busy when the second started' : ''}`, async () => {
    const server = await ownServer({ max_connections: '10' })
    const env = {
      DATABASE_URL: server.url,
      MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      MUSTER_PUBLIC_URL: 'http://localhost:4600',
    }
    const first = await startProcessOfService(env)
    const email = await administrator(server.sql)
    const headers = await signIn(first, email)
    const lists = (service: ServiceProcess, count: number) =>
      Promise.all(
        Array.from({ length: count }, () => connect(service.url).get('/api/v1/admin/users/fetch?limit=5', headers)),
      )
    if (isBusyFirst) await lists(first, 20)
    const second = await startProcessOfService(env)

    const statuses: Record<string, number[]> = {}
    const note = (name: string, status: number) => {
      statuses[name] = [...(statuses[name] ?? []), status]
    }
    for (const service of [second, first]) {
      for (let count = 0; count < 10; count += 1) {
        note('whole list', (await connect(service.url).get('/api/v1/admin/users/fetch', headers)).status)
        note('readyz', (await connect(service.url).get('/readyz')).status)
        const made = await connect(service.url).post('/api/v1/orgs', { name: `Engines ${count}` }, headers)
        note('organization', made.status)
      }
      for (const { status } of await lists(service, 20)) note('page', status)
    }
    expect(Object.fromEntries(Object.entries(statuses).map(([name, all]) => [name, [...new Set(all)]]))).toEqual({
      'whole list': [200],
      readyz: [200],
      organization: [201],
      page: [200],
    })
    expect(statuses['whole list']).toHaveLength(20)
  })
