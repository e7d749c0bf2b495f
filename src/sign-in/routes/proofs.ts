import { refuse } from '../../platform/problems.ts'
import type { AssertionCredential } from '../contract/passkey-credentials.ts'
import type { CodeProof, SecondProof } from '../factors/second-proof.ts'

interface ProofMembers {
  readonly factorId?: string
  readonly code?: string
  readonly recoveryCode?: string
  readonly credential?: AssertionCredential
}

/** `undefined` where the body has none. */
export function optionalProof(body: ProofMembers): SecondProof | undefined {
  return hasProof(body) ? proofOf(body) : undefined
}

/** The same where a passkey is no proof. */
export function optionalCode(body: Omit<ProofMembers, 'credential'>): CodeProof | undefined {
  return hasProof(body) ? codeOf(body) : undefined
}

/** Exactly one of the kinds of proof, which the schema cannot express. */
export function proofOf({ credential, ...codes }: ProofMembers): SecondProof {
  if (credential === undefined) return codeOf(codes)
  return hasProof(codes) ? refuseProof() : { credential }
}

function codeOf({ factorId, code, recoveryCode }: Omit<ProofMembers, 'credential'>): CodeProof {
  if (recoveryCode !== undefined && factorId === undefined && code === undefined) return { recoveryCode }
  if (recoveryCode === undefined && factorId !== undefined && code !== undefined) return { factorId, code }
  return refuseProof()
}

function hasProof({ factorId, code, recoveryCode, credential }: ProofMembers): boolean {
  return [factorId, code, recoveryCode, credential].some((member) => member !== undefined)
}

function refuseProof(): never {
  return refuse('input_invalid', {
    errors: [
      {
        pointer: '',
        detail: 'must hold one proof: factorId and code, recoveryCode or, where it is allowed, credential',
      },
    ],
    detail: 'See errors for each fault of the input.',
  })
}
