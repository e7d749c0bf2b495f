import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  createEncryption,
  factorContext,
  hasUndecryptable,
  reencryptSecrets,
} from '../../src/sign-in/keys/encryption.ts'
import { addSigningKey, checkSigningKey, rotateSigningKey } from '../../src/sign-in/keys/signing-keys.ts'
import type { FreshDatabase } from '../support/database.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { serviceForTest } from '../support/service.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await reusedDatabase()
})
afterAll(() => fresh.drop())

const encryption = createEncryption([Buffer.alloc(32, 7)])

/** Keys, the newest first: seconds until they sign, and seconds until they stop verifying, or `null` for never. */
const keys = () =>
  fresh.sql(
    `select kid, public ->> 'kid' as named, public ->> 'd' as private, signs_from,
       round(extract(epoch from signs_from - now()))::int as signs_in,
       case when verifies_until < 'infinity' then round(extract(epoch from verifies_until - now()))::int end as verifies_for
     from signing_key order by signs_from desc`,
  )
const lastEvent = async () =>
  (
    await fresh.sql(
      `select action, actor_id, target_kind, target_id, details from audit_event order by at desc, id desc limit 1`,
    )
  )[0]
const near = (seconds: number) => expect.closeTo(seconds, -1.5)

test('returns the new key and when it signs: in 10 minutes; the old key verifies 61 minutes longer', async () => {
  const first = await rotateSigningKey(fresh.database, encryption, { withdrawsOld: true })
  const second = await rotateSigningKey(fresh.database, encryption)
  const [newest, oldest, ...others] = await keys()
  expect(others).toEqual([])
  expect(newest).toEqual({
    ...{ kid: second.kid, named: second.kid, private: null },
    ...{ signs_from: second.signsFrom, signs_in: near(600), verifies_for: null },
  })
  expect(oldest).toMatchObject({ kid: first.kid, signs_from: first.signsFrom, verifies_for: near(600 + 3_660) })
  expect(await lastEvent()).toEqual({
    ...{ action: 'signing_key.rotated', actor_id: null, target_kind: 'signing_key', target_id: second.kid },
    details: { withdrawsOld: false },
  })
})

test('with withdrawsOld, the new key signs immediately and no other key verifies, even a pending one', async () => {
  const pending = (await keys())[0]
  const { kid, signsFrom } = await rotateSigningKey(fresh.database, encryption, { withdrawsOld: true })
  expect(signsFrom.getTime()).toBeLessThanOrEqual(Date.now() + 1_000)
  const good = await fresh.sql('select kid from signing_key where verifies_until > now()')
  expect([good, pending]).toEqual([[{ kid }], expect.not.objectContaining({ kid })])
  expect(await lastEvent()).toMatchObject({ target_id: kid, details: { withdrawsOld: true } })
})

test('finds that the newest signing key is encrypted with another key, although older ones decrypt', async () => {
  await rotateSigningKey(fresh.database, encryption, { withdrawsOld: true })
  expect(await checkSigningKey(fresh.database, encryption)).toBe('usable')
  const other = createEncryption([Buffer.alloc(32, 8)])
  for (let n = 0; n < 8; n += 1) await addSigningKey(fresh.database, other, 600 + n)
  expect(await checkSigningKey(fresh.database, encryption)).toBe('undecryptable')
})

test('finds one signing key or factor that is encrypted with another key, and any without a key', async () => {
  const one = await reusedDatabase()
  onTestFinished(() => one.drop())
  const other = createEncryption([Buffer.alloc(32, 8)])
  const both = createEncryption([Buffer.alloc(32, 7), Buffer.alloc(32, 8)])
  const found = async () => [
    await hasUndecryptable(one.database, encryption),
    await hasUndecryptable(one.database, both),
    await hasUndecryptable(one.database, undefined),
  ]
  expect(await found()).toEqual([false, false, false])
  for (let n = 0; n < 3; n += 1) await addSigningKey(one.database, encryption, n)
  expect(await found()).toEqual([false, false, true])
  const id = randomUUID()
  await one.sql(
    `with made as (insert into account (email) values ('ada@example.com') returning id)
     insert into factor (id, account_id, friendly_name, secret) select $1, id, 'Phone', $2 from made`,
    [id, other.encrypt(Buffer.from('secret'), factorContext(id))],
  )
  expect(await found()).toEqual([true, false, true])
  await one.sql('delete from factor')
  await addSigningKey(one.database, other, 0)
  expect(await found()).toEqual([true, false, true])
})

test('re-encrypts more values than one batch, each once', async () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
  const service = await serviceForTest({ env: { MUSTER_ENCRYPTION_KEY: oldKey.toString('base64') } })
  const { id } = await service.person()
  const values = Array.from({ length: 401 }, () => randomUUID())
  const sealed = values.map((factor) => createEncryption([oldKey]).encrypt(Buffer.from(factor), factorContext(factor)))
  await service.sql(
    `insert into factor (id, account_id, friendly_name, secret)
     select f.id, $1, f.id::text, f.secret from unnest($2::uuid[], $3::bytea[]) f(id, secret)`,
    [id, values, sealed],
  )
  const both = createEncryption([newKey, oldKey])
  expect(await reencryptSecrets(service.database, both)).toBe(402)
  const stored = await service.sql<{ id: string; secret: Buffer }>('select id, secret from factor')
  const after = createEncryption([newKey])
  for (const factor of stored) expect(after.decrypt(factor.secret, factorContext(factor.id)).toString()).toBe(factor.id)
})

test('a value decrypts only with its own context and key, and never after a bit flip', () => {
  const [one, two] = [randomBytes(32), randomBytes(32)]
  const encrypted = createEncryption([one]).encrypt(Buffer.from('secret'), 'row 1')
  expect(createEncryption([two, one]).decrypt(encrypted, 'row 1').toString()).toBe('secret')
  expect(() => createEncryption([one]).decrypt(encrypted, 'row 2')).toThrow()
  expect(() => createEncryption([two]).decrypt(encrypted, 'row 1')).toThrow(/not configured/)
  for (let at = 0; at < encrypted.length; at += 1) {
    const changed = Buffer.from(encrypted)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => createEncryption([one]).decrypt(changed, 'row 1'), `byte ${at}`).toThrow()
  }
})
