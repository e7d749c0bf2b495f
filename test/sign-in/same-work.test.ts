import { verify } from '@node-rs/argon2'
import { expect, vi } from 'vitest'
import { problemOf } from '../support/problem.ts'
import { testInProcess } from '../support/service.ts'
import { newClient, startIssuer } from './test-client.ts'

/** The true library, which counts what it is asked. */
vi.mock('@node-rs/argon2', async (load) => {
  const library = await load<typeof import('@node-rs/argon2')>()
  return { ...library, verify: vi.fn(library.verify) }
})

/** `$argon2id$v=19$m=19456,t=2,p=1`: algorithm and cost without salt and hash. */
function costOf(stored: unknown): string {
  return String(stored).split('$').slice(0, 4).join('$')
}

testInProcess(
  'sign_in_refused — a wrong password, an unknown address, a disabled account and an unreadable hash cost one hash each, of the cost of a new password',
  async () => {
    const service = await startIssuer()
    const [person, disabled, unreadable] = [await service.person(), await service.person(), await service.person()]
    await service.sql('update account set disabled_at = now() where id = $1', [disabled.id])
    await service.sql(`update credential set password = 'unreadable' where account_id = $1`, [unreadable.id])
    const [stored] = await service.sql<{ password: string }>('select password from credential where account_id = $1', [
      person.id,
    ])
    const tries: readonly (readonly [string, string])[] = [
      [person.email, 'wrong password'],
      ['nobody@example.com', person.password],
      [disabled.email, disabled.password],
      [unreadable.email, unreadable.password],
    ]
    for (const [email, password] of tries) {
      vi.mocked(verify).mockClear()
      expect(problemOf(await newClient(service).signIn(email, password)), email).toEqual({
        status: 401,
        code: 'sign_in_refused',
      })
      const hashes = vi.mocked(verify).mock.calls.map(([hash]) => costOf(hash))
      expect(hashes, email).toEqual([costOf(stored?.password)])
    }
    await service.stop()
  },
)
