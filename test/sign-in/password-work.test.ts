import { parseOptions } from '@node-rs/argon2'
import { expect, onTestFinished } from 'vitest'
import { problemOf } from '../support/problem.ts'
import { watchComparisons } from '../support/remembered-hashes.ts'
import { testInProcess } from '../support/service.ts'
import { newClient, startIssuer } from '../support/test-client.ts'

testInProcess('an unknown email costs as much work as a wrong password and a disabled account', async () => {
  const service = await startIssuer()
  onTestFinished(() => service.stop())
  const verified: string[] = []
  onTestFinished(watchComparisons((stored) => verified.push(stored)))
  const person = await service.person()
  const disabled = await service.person()
  await service.sql(`update account set disabled_at = now() where id = $1`, [disabled.id])
  const [{ password: stored } = { password: '' }] = await service.sql<{ password: string }>(
    `select password from credential where account_id = $1`,
    [person.id],
  )
  // NFC and NFKC of the second password differ, so both are compared.
  for (const [password, times] of [
    ['wrong password', 1],
    ['wrong ﬁrst password', 2],
  ] as const)
    for (const email of [person.email, disabled.email, 'unknown@example.com']) {
      verified.length = 0
      const answer = await newClient(service).signIn(email, password)
      expect(problemOf(answer)).toEqual({ status: 401, code: 'sign_in_refused' })
      expect(
        verified.map((hash) => parseOptions(hash)),
        email,
      ).toEqual(Array(times).fill(parseOptions(stored)))
    }
})
