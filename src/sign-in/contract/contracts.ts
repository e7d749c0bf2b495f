import type { OperationContract } from '../../platform/http/contract.ts'
import {
  enrolFactorContract,
  factorsContract,
  recoveryCodesContract,
  removeFactorContract,
  renameFactorContract,
  verifyFactorContract,
} from './factors.ts'
import {
  changePasswordContract,
  endSessionContract,
  sessionsContract,
  signOutContract,
  signOutEverywhereContract,
} from './sessions.ts'
import { refreshContract, secondStepContract, signInContract, signUpContract } from './sign-in.ts'
import { discoveryContract, keySetContract } from './well-known.ts'

/** The operations of the built-in issuer: promised only where it is switched on. */
export const issuerContracts: readonly OperationContract[] = [
  signUpContract,
  signInContract,
  secondStepContract,
  refreshContract,
  signOutContract,
  signOutEverywhereContract,
  sessionsContract,
  endSessionContract,
  changePasswordContract,
  factorsContract,
  enrolFactorContract,
  verifyFactorContract,
  renameFactorContract,
  removeFactorContract,
  recoveryCodesContract,
  discoveryContract,
  keySetContract,
]
