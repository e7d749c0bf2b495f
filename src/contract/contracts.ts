import { adminUsersFetchContract } from './admin-users-fetch.ts'
import { issuerContracts } from './auth.ts'
import { docsPageContract, docsScriptContract, openapiContract, problemsPageContract } from './documents.ts'
import { livezContract, readyzContract } from './health.ts'
import type { OperationContract } from './operation.ts'
import { providerKeysValidateContract } from './provider-keys-validate.ts'
import { providersContract } from './providers.ts'
import { userDataContract } from './user-data.ts'

/** Every operation that the service promises, in the order of the documentation. */
export function contractsOf(has: { readonly builtInIssuer: boolean }): readonly OperationContract[] {
  return [
    userDataContract,
    adminUsersFetchContract,
    providerKeysValidateContract,
    providersContract,
    ...(has.builtInIssuer ? issuerContracts : []),
    livezContract,
    readyzContract,
    openapiContract,
    problemsPageContract,
    docsPageContract,
    docsScriptContract,
  ]
}
