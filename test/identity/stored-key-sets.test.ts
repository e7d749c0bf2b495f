import { expect, onTestFinished, test } from 'vitest'
import { readKeySet, writeKeySet } from '../../src/identity/issuers/open-issuers.ts'
import { reusedDatabase } from '../support/reused-database.ts'

const issuer = 'https://idp.example'
const source = 'https://idp.example/jwks'

/** The stored set of an issuer after writing these sets in order. */
async function storedOf(...written: readonly { kid: string; requestedAtMs: number }[]) {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  for (const { kid, requestedAtMs } of written)
    await writeKeySet(fresh.database, issuer, source, { keys: [{ kty: 'EC', kid }], requestedAtMs })
  return readKeySet(fresh.database, issuer, source)
}

const [earlier, later] = [Date.parse('2026-03-01T12:00:00.000Z'), Date.parse('2026-03-01T12:00:00.001Z')]

test('keeps the set that was requested later, whichever is written last', async () => {
  const stays = { keys: [{ kty: 'EC', kid: 'new' }], requestedAtMs: later }
  const [old, young] = [
    { kid: 'old', requestedAtMs: earlier },
    { kid: 'new', requestedAtMs: later },
  ]
  expect(await storedOf(old, young)).toEqual(stays)
  expect(await storedOf(young, old)).toEqual(stays)
})

test('keeps the set written last if both were requested in the same millisecond', async () => {
  const first = { kid: 'first', requestedAtMs: earlier }
  expect(await storedOf(first, { ...first, kid: 'second' })).toEqual({
    keys: [{ kty: 'EC', kid: 'second' }],
    requestedAtMs: earlier,
  })
})
