import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createRenewal } from '../../src/identity/issuers/key-renewal.ts'

function renewalOf(fetchKeys: (signal: AbortSignal) => Promise<never>) {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const limits = { deadlineMs: 60_000, now: () => Date.now() }
  return { lines, renewal: createRenewal({ issuer: 'https://idp.example', fetchKeys, log, ...limits }) }
}

test('logs a warning with the issuer and the error when keys cannot be fetched', async () => {
  const { lines, renewal } = renewalOf(async () => Promise.reject(new Error('connection refused')))
  await expect(renewal.renew()).rejects.toThrow('connection refused')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      issuer: 'https://idp.example',
      err: { message: 'connection refused' },
      msg: 'cannot fetch the keys of an issuer',
    },
  ])
  expect(renewal.failure()).toMatchObject({ message: 'connection refused' })
})

test('logs no warning when shutdown aborts a fetch', async () => {
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const { lines, renewal } = renewalOf(untilAborted)
  const renewed = renewal.renew().catch(() => 'cut')
  await renewal.close()
  expect(await renewed).toBe('cut')
  expect(lines).toEqual([])
})

test('wraps a rejection that is not an Error into an Error with the value as its cause', async () => {
  const { renewal } = renewalOf(() => Promise.reject('refused'))
  await expect(renewal.renew()).rejects.toMatchObject({ message: 'fetching the keys failed', cause: 'refused' })
})
