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

/** How often the statement is tried, when the first try comes to this constraint. */
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

test('of two first tokens with one proved address the second is tried again, and finds the account', async () => {
  expect(await triesAfter('account_proved_email')).toEqual({ tries: 2, outcome: 'made' })
})

test('what the database refuses for another reason is passed on at once', async () => {
  expect(await triesAfter('account_email_check')).toEqual({ tries: 1, outcome: 'passed on' })
})
