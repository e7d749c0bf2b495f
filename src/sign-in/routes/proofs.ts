import { refuse } from '../../platform/problems.ts'
import type { SecondProof } from '../factors/second-proof.ts'

interface ProofMembers {
  readonly factorId?: string
  readonly code?: string
  readonly recoveryCode?: string
}

/** `undefined` where the body has none. */
export function optionalProof(body: ProofMembers): SecondProof | undefined {
  const { factorId, code, recoveryCode } = body
  return factorId === undefined && code === undefined && recoveryCode === undefined ? undefined : proofOf(body)
}

/** Exactly one of the two kinds of proof, which the schema cannot express. */
export function proofOf({ factorId, code, recoveryCode }: ProofMembers): SecondProof {
  if (recoveryCode !== undefined && factorId === undefined && code === undefined) return { recoveryCode }
  if (recoveryCode === undefined && factorId !== undefined && code !== undefined) return { factorId, code }
  return refuse('input_invalid', {
    errors: [{ pointer: '', detail: 'must hold either factorId and code, or recoveryCode' }],
    detail: 'See errors for each fault of the input.',
  })
}
