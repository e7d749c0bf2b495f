import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventTypeNames } from '../../src/webhooks/event-types.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { runMuster } from './run-muster.ts'

async function bench() {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  const env = { DATABASE_URL: fresh.url, MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
  const muster = (command: string, more: object = {}) => runMuster(command.split(' '), { env: { ...env, ...more } })
  return {
    fresh,
    env,
    muster,
    async says(command: string, text: string) {
      expect(await muster(command)).toMatchObject({ code: 0, stdout: expect.stringContaining(text) })
    },
    async refuses(command: string, sentence: string) {
      expect(await muster(command)).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) })
    },
    async rows(command: string) {
      const { stdout, stderr, code } = await muster(command)
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    },
  }
}

const unknown = '0197b2a4-6d02-7b1e-9a40-3c5d1e0f7a11'

test('webhooks commands create, list, change, rotate, test, replay and remove, and write each change to the audit log', async () => {
  const { fresh, muster, says, refuses, rows } = await bench()
  const made = await muster('webhooks create https://product.example.com/muster user.created --description Product')
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=\n$/) })
  expect(made.stderr).toContain('Muster does not show the secret again.')
  const [endpoint] = await rows('webhooks list')
  const { id } = endpoint
  expect(endpoint).toMatchObject({
    host: 'product.example.com',
    description: 'Product',
    status: 'enabled',
  })
  await says(`webhooks change ${id} --events all --url https://other.example.com/`, 'It is enabled')
  expect((await rows('webhooks list'))[0]).toMatchObject({ host: 'other.example.com', events: eventTypeNames })
  const rotated = JSON.parse((await muster(`webhooks rotate ${id} --overlap 60 --json`)).stdout)
  expect(rotated).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) })
  expect(`${rotated.secret}\n`).not.toBe(made.stdout)
  await says(`webhooks test ${id}`, 'The service sends a test event')
  const [delivery] = await rows(`webhooks deliveries ${id}`)
  expect(delivery).toMatchObject({ type: 'webhook.test', state: 'pending' })
  await says(`webhooks change ${id} --disable`, 'It is disabled')
  await refuses(`webhooks test ${id}`, 'Enable it: muster webhooks change <id> --enable')
  await says(`webhooks change ${id} --enable`, 'It is enabled')
  await says(`webhooks replay ${id} ${delivery.id}`, 'The service will resend 1 delivery.')
  await says(`webhooks replay ${id} --since 2026-01-31T00:00:00Z`, 'The service will resend 0 deliveries.')
  await says(`webhooks remove ${id}`, `Removed the endpoint ${id}`)
  expect(await rows('webhooks list')).toEqual([])
  const events = await fresh.sql<{ action: string; operator: string | null; kind: string }>(
    `select distinct action, operator is not null as by_operator, actor_kind as kind from audit_event where action like 'webhook%' order by 1`,
  )
  expect(events).toEqual(
    ['changed', 'created', 'removed', 'replayed', 'rotated', 'tested'].map((what) => ({
      action: `webhook_endpoint.${what}`,
      by_operator: true,
      kind: 'operator',
    })),
  )
})

test('muster import sends an event for each new user, and none for an existing user', async () => {
  const { fresh, muster } = await bench()
  await muster('webhooks create https://product.example.com/ user.created')
  const folder = await mkdtemp(join(tmpdir(), 'muster-webhooks-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'users.jsonl')
  const people = [1, 2, 3].map((n) => ({
    id: `p-${n}`,
    email: `p${n}@example.com`,
    ...(n === 3 && { status: 'disabled' }),
  }))
  await writeFile(file, people.map((one) => JSON.stringify(one)).join('\n'))
  for (const _ of ['once', 'again']) {
    expect(await muster(`import ${file} --from muster`)).toMatchObject({ code: 0 })
    expect(
      await fresh.sql(`
        select e.data ->> 'email' as email, e.data ->> 'status' as status
        from webhook_event e join webhook_delivery d on d.event_id = e.id where e.type = 'user.created' order by 1`),
    ).toEqual([
      { email: 'p1@example.com', status: 'active' },
      { email: 'p2@example.com', status: 'active' },
      { email: 'p3@example.com', status: 'disabled' },
    ])
  }
})

test('webhooks commands reject wrong input with a sentence', async () => {
  const { refuses, muster, env } = await bench()
  await refuses('webhooks create http://product.example.com/ user.created', 'The URL must start with https://')
  await refuses('webhooks create https://10.0.0.8/ user.created', 'private network')
  await refuses('webhooks create https://product.example.com/ user.exploded', 'There is no event type user.exploded')
  for (const command of ['change', 'rotate', 'remove', 'test', 'deliveries'])
    await refuses(`webhooks ${command} ${unknown}`, 'There is no such endpoint')
  await refuses(`webhooks replay ${unknown}`, 'Name either a delivery or --since.')
  await refuses(`webhooks replay ${unknown} --since yesterday`, 'yesterday is not a time')
  await refuses(`webhooks rotate ${unknown} --overlap 604801`, 'from 0 to 604800')
  await refuses(`webhooks change ${unknown} --enable --disable`, 'either --disable or --enable')
  await refuses('webhooks remove not-an-id', 'There is no such endpoint')
  await refuses(`webhooks create https://a.example.com/${'x'.repeat(2_048)} user.created`, 'at most 2048 characters')
  await refuses(`webhooks create https://a.example.com/ user.created -d ${'x'.repeat(201)}`, '1 to 200 characters')
  await refuses(`webhooks replay ${unknown} not-an-id`, 'The endpoint has no such delivery')
  const bare = await muster('webhooks create https://product.example.com/ user.created', {
    MUSTER_BUILT_IN_ISSUER: 'false',
    MUSTER_ENCRYPTION_KEY: '',
  })
  expect(bare).toMatchObject({ code: 1, stderr: expect.stringContaining('Set MUSTER_ENCRYPTION_KEY') })
  expect(env.MUSTER_ENCRYPTION_KEY).not.toBe('')
})

test('muster keys re-encrypt re-encrypts webhook secrets, including the previous secret of a rotation', async () => {
  const { fresh, muster, env } = await bench()
  const { secret } = JSON.parse(
    (await muster('webhooks create https://product.example.com/ user.created --json')).stdout,
  )
  const [row] = await fresh.sql<{ id: string }>('select id from webhook_endpoint')
  await muster(`webhooks rotate ${row?.id}`)
  const next = randomBytes(32).toString('base64')
  const keys = { MUSTER_ENCRYPTION_KEY: next, MUSTER_ENCRYPTION_KEY_PREVIOUS: env.MUSTER_ENCRYPTION_KEY }
  const first = await muster('keys re-encrypt', keys)
  expect(first).toMatchObject({ code: 0, stdout: 'Re-encrypted 2 secrets.\n' })
  expect((await muster('keys re-encrypt', keys)).stdout).toBe('Re-encrypted 0 secrets.\n')
  const { createEncryption } = await import('../../src/sign-in/keys/encryption.ts')
  const { unsealSecret } = await import('../../src/webhooks/signing.ts')
  const [sealed] = await fresh.sql<{ id: string; previous_secret: Buffer }>(
    'select id, previous_secret from webhook_endpoint',
  )
  const encryption = createEncryption([Buffer.from(next, 'base64')])
  expect(sealed && unsealSecret(encryption, sealed.id, sealed.previous_secret).open()).toBe(secret)
})
