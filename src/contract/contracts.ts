import { adminUserContracts } from './admin-users.ts'
import { adminUsersFetchContract } from './admin-users-fetch.ts'
import { issuerContracts } from './auth.ts'
import { billingCheckoutContract, billingPortalContract } from './billing-checkout.ts'
import { docsPageContract, docsScriptContract, openapiContract, problemsPageContract } from './documents.ts'
import { livezContract, readyzContract } from './health.ts'
import { metricsContract } from './metrics.ts'
import type { OperationContract } from './operation.ts'
import { orgsContracts } from './orgs.ts'
import { providerKeysValidateContract } from './provider-keys-validate.ts'
import { providersContract } from './providers.ts'
import { userDataContract } from './user-data.ts'
import { webhookContracts } from './webhooks.ts'

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
    ...(has.builtInIssuer ? issuerContracts : []),
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
