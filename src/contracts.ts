import { docsPageContract, docsScriptContract, openapiContract, problemsPageContract } from './api-docs/contract.ts'
import { checkoutContracts } from './billing/contract.ts'
import { processors } from './billing/registry.ts'
import { providerKeysValidateContract } from './key-checks/contract.ts'
import { providersContract } from './key-checks/providers-contract.ts'
import { orgsContracts } from './organizations/contract.ts'
import type { OperationContract } from './platform/http/contract.ts'
import { signInContracts } from './sign-in/contract/contracts.ts'
import { livezContract, readyzContract } from './status/health-contract.ts'
import { metricsContract } from './status/metrics-contract.ts'
import { userDataContract } from './user-data/contract.ts'
import { adminUserContracts } from './users/contract.ts'
import { adminUsersFetchContract } from './users/list-contract.ts'

/** Every operation that the service promises, in the order of the documentation. */
export function contractsOf(has: {
  readonly builtInIssuer: boolean
  readonly webhooks: readonly OperationContract[]
  readonly checkout: boolean
  readonly metrics: boolean
}): readonly OperationContract[] {
  return [
    userDataContract,
    adminUsersFetchContract,
    ...adminUserContracts,
    ...orgsContracts,
    providerKeysValidateContract,
    providersContract,
    ...has.webhooks,
    ...(has.checkout ? checkoutContracts : []),
    ...(has.builtInIssuer ? signInContracts : []),
    livezContract,
    readyzContract,
    ...(has.metrics ? [metricsContract] : []),
    openapiContract,
    problemsPageContract,
    docsPageContract,
    docsScriptContract,
  ]
}

/** Every operation that the service can promise. */
export const allContracts = contractsOf({
  builtInIssuer: true,
  webhooks: processors.map(({ webhook }) => webhook),
  checkout: true,
  metrics: true,
})
