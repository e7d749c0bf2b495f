import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { provision } from '../../src/identity/provisioning.ts'
import type { UserCaller } from '../../src/platform/http/caller.ts'

const caller: UserCaller = {
  kind: 'user',
  key: 'k',
  issuer: 'https://idp.example',
  subject: 'ada',
  email: 'ada@example.com',
  emailTrusted: true,
  provisions: true,
}

/** How many attempts are made if the first one violates this constraint. */
async function triesAfter(constraint: string) {
  let tries = 0
  const error = Object.assign(new DatabaseError('duplicate key', 1, 'error'), { constraint })
  const rows = {
    async query() {
      tries += 1
      if (tries === 1) throw error
      return []
    },
  }
  const outcome = await provision(rows, caller).then(
    () => 'made',
    (thrown: unknown) => thrown,
  )
  return { tries, outcome: outcome === error ? 'passed on' : outcome }
}

test('retries the second of two first tokens with the same verified email, and finds the account', async () => {
  expect(await triesAfter('account_proved_email')).toEqual({ tries: 2, outcome: 'made' })
})

test('passes on all other database errors immediately', async () => {
  expect(await triesAfter('account_email_check')).toEqual({ tries: 1, outcome: 'passed on' })
})
