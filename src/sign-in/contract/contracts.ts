import type { OperationContract } from '../../platform/http/contract.ts'
import { exportOwnAccountContract } from './account-export.ts'
import {
  confirmEmailChangeContract,
  confirmSignUpContract,
  requestEmailChangeContract,
  undoEmailChangeContract,
  withdrawEmailChangeContract,
} from './addresses.ts'
import { listDevicesContract, removeDeviceContract } from './devices.ts'
import {
  enrolFactorContract,
  listFactorsContract,
  removeFactorContract,
  renameFactorContract,
  renewRecoveryCodesContract,
  verifyFactorContract,
} from './factors.ts'
import {
  changeOwnAccountContract,
  eraseOwnAccountContract,
  keepOwnAccountContract,
  readOwnAccountContract,
} from './own-account.ts'
import {
  addPasskeyContract,
  passkeyOptionsContract,
  passkeySignInContract,
  passkeySignInOptionsContract,
  passkeyStepUpOptionsContract,
  relatedOriginsContract,
} from './passkeys.ts'
import {
  completeRecoveryContract,
  inspectLinkContract,
  linkPageContract,
  linkScriptContract,
  linkStyleContract,
  requestRecoveryContract,
} from './recovery.ts'
import {
  changePasswordContract,
  endSessionContract,
  listSessionsContract,
  signOutContract,
  signOutEverywhereContract,
} from './sessions.ts'
import { completeSignInContract, refreshContract, signInContract, signUpContract } from './sign-in.ts'
import { stepUpContract } from './step-up.ts'
import { discoveryContract, keySetContract } from './well-known.ts'

/** The operations of the built-in issuer. They are part of the contract only where it is enabled. */
export const signInContracts: readonly OperationContract[] = [
  signUpContract,
  confirmSignUpContract,
  signInContract,
  completeSignInContract,
  passkeySignInOptionsContract,
  passkeySignInContract,
  refreshContract,
  stepUpContract,
  passkeyStepUpOptionsContract,
  signOutContract,
  signOutEverywhereContract,
  listDevicesContract,
  removeDeviceContract,
  listSessionsContract,
  endSessionContract,
  changePasswordContract,
  requestEmailChangeContract,
  withdrawEmailChangeContract,
  confirmEmailChangeContract,
  undoEmailChangeContract,
  readOwnAccountContract,
  changeOwnAccountContract,
  exportOwnAccountContract,
  eraseOwnAccountContract,
  keepOwnAccountContract,
  listFactorsContract,
  enrolFactorContract,
  verifyFactorContract,
  renameFactorContract,
  removeFactorContract,
  renewRecoveryCodesContract,
  passkeyOptionsContract,
  addPasskeyContract,
  requestRecoveryContract,
  inspectLinkContract,
  completeRecoveryContract,
  linkPageContract,
  linkScriptContract,
  linkStyleContract,
  discoveryContract,
  keySetContract,
  relatedOriginsContract,
]
