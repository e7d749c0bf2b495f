import { docsPageContract, docsScriptContract, openapiContract, problemsPageContract } from './api-docs/contract.ts'
import { billingCheckoutContract, billingPortalContract } from './billing/checkout-contract.ts'
import { webhookContracts } from './billing/webhook-contract.ts'
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

/** Buying: promised only where there is a key of the payment processor's API. */
const salesContracts: readonly OperationContract[] = [billingCheckoutContract, billingPortalContract]

/** Every operation that the service promises, in the order of the documentation. */
export function contractsOf(has: {
  readonly builtInIssuer: boolean
  readonly webhooks: readonly (keyof typeof webhookContracts)[]
  readonly sales: boolean
  readonly metrics: boolean
}): readonly OperationContract[] {
  return [
    userDataContract,
    adminUsersFetchContract,
    ...adminUserContracts,
    ...orgsContracts,
    providerKeysValidateContract,
    providersContract,
    ...has.webhooks.map((id) => webhookContracts[id]),
    ...(has.sales ? salesContracts : []),
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
  webhooks: ['stripe', 'paddle', 'polar'],
  sales: true,
  metrics: true,
})
