import { createValidation, type UndeterminedProblem } from '../../src/key-checks/engine/check.ts'
import { Problem } from '../../src/platform/problems.ts'
import {
  KeyCheckError,
  type KeyChecks,
  type KeyChecksOptions,
  type Result,
  type Undetermined,
  type UndeterminedCode,
} from './api.ts'
import { readInput, readLimits } from './read-input.ts'

export {
  type Ability,
  type Call,
  type Capabilities,
  type Details,
  type Field,
  type InputFault,
  type KeyCheck,
  KeyCheckError,
  type KeyChecks,
  type KeyChecksOptions,
  type KeyType,
  type KeyTypeInfo,
  type Limits,
  type Provider,
  type Purpose,
  type Result,
  type Undetermined,
  type UndeterminedCode,
  type Verdict,
} from './api.ts'

/**
 * Opens checks of keys: the engine of Muster without its service. No connection is made before the first check.
 * Throws where an option is wrong: a RangeError for a limit, an Error for a base address of an unknown provider.
 */
export async function keyChecks(options: KeyChecksOptions = {}): Promise<KeyChecks> {
  const { baseUrls = {}, limits = {}, onCall } = options
  const validation = await createValidation({
    baseUrls,
    limits: readLimits(limits),
    listedBy: 'providers()',
    ...(onCall && { onCall }),
  })
  return {
    providers: () => validation.catalogue(),
    async check(input): Promise<Result> {
      try {
        const { isValid, message, details } = await validation.check(readInput(input))
        return { outcome: isValid ? 'valid' : 'invalid', message, details }
      } catch (error) {
        if (error instanceof Problem) return undeterminedBy(error)
        throw error
      }
    },
    close: () => validation.close(),
  }
}

/** Throws a `KeyCheckError` where the problem is not about an answer of the provider. */
function undeterminedBy(problem: Problem): Undetermined {
  const { code, message, more } = problem
  if (code === 'shutting_down') throw new KeyCheckError('closed', 'The key checks are closed.')
  if (code === 'input_invalid' || code === 'provider_unsupported') {
    const faults = (more.errors ?? []).flatMap((fault) =>
      'pointer' in fault ? [{ at: fault.pointer, detail: fault.detail }] : [],
    )
    throw new KeyCheckError(code, faults[0]?.detail ?? message, faults)
  }
  const known = undeterminedCodes.find((name) => name === code)
  if (known === undefined) throw problem
  const { retryAfterSeconds } = more
  return {
    outcome: 'undetermined',
    code: known,
    message,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

const byProblem: { readonly [Code in UndeterminedProblem]: Code } & Readonly<Record<UndeterminedCode, string>> = {
  provider_answer_unexpected: 'provider_answer_unexpected',
  provider_refused: 'provider_refused',
  provider_address_refused: 'provider_address_refused',
  provider_clock_refused: 'provider_clock_refused',
  provider_unreachable: 'provider_unreachable',
  provider_busy: 'provider_busy',
  provider_timeout: 'provider_timeout',
}
const undeterminedCodes: readonly UndeterminedCode[] = Object.values(byProblem)
