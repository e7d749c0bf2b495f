import type { Problem, ProblemCode } from './api.ts'

/** A refusal of the service, thrown. The union `problem` is narrowed by its `code`. */
export class ProblemError<Code extends ProblemCode = ProblemCode> extends Error {
  readonly problem: Problem<Code>

  constructor(problem: Problem<Code>) {
    super(problem.detail ?? problem.title)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

/** An answer that is not of Muster, such as the 502 page of a proxy. */
export class UnexpectedAnswerError extends Error {
  readonly response: Response

  constructor(response: Response) {
    super(`The answer ${response.status} is no problem of Muster.`)
    this.name = 'UnexpectedAnswerError'
    this.response = response
  }
}

/** Whether a thrown value is a problem with one of the codes; without codes, any problem. */
export function isProblem<Code extends ProblemCode = ProblemCode>(
  thrown: unknown,
  ...codes: readonly Code[]
): thrown is ProblemError<Code> {
  if (!(thrown instanceof ProblemError)) return false
  return codes.length === 0 || codes.some((code) => code === thrown.problem.code)
}

/** The data of an answer; throws a `ProblemError` for a refusal. */
export async function unwrap<Data>(call: Answer<Data> | Promise<Answer<Data>>): Promise<Data> {
  const { data, error } = await call
  if (error !== undefined) throw new ProblemError(error)
  return data
}

type Answer<Data> = { data: Data; error?: never } | { data?: never; error: Problem }

/** The problem of an answer whose body is still to be read by the caller. */
export async function problemOf(response: Response): Promise<Problem | undefined> {
  if (!isProblemAnswer(response)) return undefined
  const problem: Problem = JSON.parse(await response.clone().text())
  return problem
}

export function isProblemAnswer({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('application/problem+json') ?? false
}
