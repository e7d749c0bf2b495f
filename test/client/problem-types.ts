/** What the compiler has to accept and to refuse. The type check of the whole repository compiles it; it is never called. */
import { createMuster, type Muster, type Problem, type ProblemCode } from '../../client/src/index.ts'

export function narrowed(problem: Problem): readonly unknown[] {
  // @ts-expect-error: only `step_up_required` has needs.
  const before = problem.needs
  if (problem.code === 'permission_exceeds') return [problem.missing satisfies Record<string, string[]> | undefined]
  // @ts-expect-error: the problem left has no such code.
  const impossible = problem.code === 'permission_exceeds'
  // @ts-expect-error: no problem has such a code.
  const unknown: ProblemCode = 'no_such_code'
  return [before, impossible, unknown]
}

export async function narrowedByOperation(muster: Muster): Promise<void> {
  const { error } = await muster.POST('/auth/sign-in', { body: { email: 'a@example.com', password: 'x' } })
  if (error?.code === 'sign_in_wait') error.ways satisfies readonly string[] | undefined
  // @ts-expect-error: this operation has no such problem.
  if (error?.code === 'last_administrator') return
  // @ts-expect-error: a caller keeps its token by one of both ways.
  createMuster({ baseUrl: '', token: () => '', session: { read: () => undefined, write: () => {} } })
  // @ts-expect-error: the list has no such filter.
  muster.users({ name: 'x' })
}
