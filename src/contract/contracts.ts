import { adminUserContracts } from './admin-users.ts'
import { adminUsersFetchContract } from './admin-users-fetch.ts'
import { issuerContracts } from './auth.ts'
import { docsPageContract, docsScriptContract, openapiContract, problemsPageContract } from './documents.ts'
import { livezContract, readyzContract } from './health.ts'
import type { OperationContract } from './operation.ts'
import { providerKeysValidateContract } from './provider-keys-validate.ts'
import { providersContract } from './providers.ts'
import { userDataContract } from './user-data.ts'
import { webhooksStripeContract } from './webhooks-stripe.ts'

/** The operations of billing: promised only where Stripe is configured. */
const stripeContracts: readonly OperationContract[] = [webhooksStripeContract]

/** Every operation that the service promises, in the order of the documentation. */
export function contractsOf(has: {
  readonly builtInIssuer: boolean
  readonly stripe: boolean
}): readonly OperationContract[] {
  return [
    userDataContract,
    adminUsersFetchContract,
    ...adminUserContracts,
    providerKeysValidateContract,
    providersContract,
    ...(has.stripe ? stripeContracts : []),
    ...(has.builtInIssuer ? issuerContracts : []),
    livezContract,
    readyzContract,
    openapiContract,
    problemsPageContract,
    docsPageContract,
    docsScriptContract,
  ]
}
