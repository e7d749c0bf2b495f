import { KeyCheckError, type Result, type Undetermined, type Verdict } from '../../key-check/index.ts'
import { Problem } from '../platform/problems.ts'

/**
 * The verdict of a check. Throws the codes of an undetermined result, `input_invalid`, `provider_unsupported` and `shutting_down`. Rejects
 * with the signal's reason if it aborts.
 */
export async function verdictOf(check: Promise<Result>): Promise<Verdict> {
  const result = await check.catch((error: unknown) => {
    throw error instanceof KeyCheckError ? problemOf(error) : error
  })
  if (result.outcome === 'undetermined') throw undeterminedProblem(result)
  return result
}

function undeterminedProblem({ code, message, retryAfterSeconds }: Undetermined): Problem {
  return new Problem(code, { detail: message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
}

function problemOf({ code, message, faults }: KeyCheckError): Problem {
  if (code === 'closed') return new Problem('shutting_down')
  const errors = faults.map(({ at, detail }) => ({ pointer: at, detail }))
  return new Problem(code, { errors, ...(code === 'provider_unsupported' && { detail: message }) })
}
