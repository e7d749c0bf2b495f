import {
  docsPageContract,
  docsScriptContract,
  docsStyleContract,
  openapiContract,
  problemsPageContract,
} from './api-docs/contract.ts'
import { guideContracts } from './api-docs/guide-contract.ts'
import { auditContract } from './audit/contract.ts'
import { billingAdminContracts, billingSyncContract } from './billing/admin-contract.ts'
import { checkoutContracts } from './billing/contract.ts'
import { processors } from './billing/registry.ts'
import { consolePageContracts, consoleSessionContracts, signInOptionsContract } from './console/contract.ts'
import { providerKeysValidateBatchContract } from './key-checks/batch-contract.ts'
import { providerKeysValidateContract, providersContract } from './key-checks/contract.ts'
import { organizationContracts } from './organizations/contract.ts'
import { invitationContracts } from './organizations/invitation-contract.ts'
import { adminOrganizationsContract } from './organizations/list-contract.ts'
import type { OperationContract } from './platform/http/contract.ts'
import { serviceKeyContracts } from './service-keys/contract.ts'
import { accountContracts } from './sign-in/account/contract.ts'
import { signInContracts } from './sign-in/contract.ts'
import { factorContracts } from './sign-in/factors/contract.ts'
import { passkeyContracts } from './sign-in/factors/passkey-contract.ts'
import { keyContracts } from './sign-in/keys/contract.ts'
import { linkContracts } from './sign-in/links/contract.ts'
import { sessionContracts } from './sign-in/sessions/contract.ts'
import { livezContract, readyzContract } from './status/health-contract.ts'
import { metricsContract } from './status/metrics-contract.ts'
import { systemContract } from './status/system-contract.ts'
import { adminUserDataContract, userDataContract } from './user-data/contract.ts'
import { actAsContracts } from './users/act-as-contract.ts'
import { userContracts, userRecoveryContract } from './users/contract.ts'
import { adminUsersContract, adminUsersFetchContract } from './users/list-contract.ts'
import { adminRolesContract } from './users/roles-contract.ts'
import { userSignInContracts } from './users/sign-in-contract.ts'
import { endpointContracts } from './webhooks/contract.ts'
import { deliveryContracts } from './webhooks/deliveries-contract.ts'
import { webhookMessages } from './webhooks/event-types.ts'

/** The contracts of all operations, in the order of the documentation. Only these can be mounted. */
export const allContracts: readonly OperationContract[] = [
  userDataContract,
  adminUsersFetchContract,
  adminUsersContract,
  ...Object.values(userContracts),
  userRecoveryContract,
  ...Object.values(userSignInContracts),
  adminUserDataContract,
  ...Object.values(actAsContracts),
  adminOrganizationsContract,
  adminRolesContract,
  ...Object.values(billingAdminContracts),
  billingSyncContract,
  auditContract,
  systemContract,
  ...Object.values(serviceKeyContracts),
  ...Object.values(endpointContracts),
  ...Object.values(deliveryContracts),
  ...Object.values(organizationContracts),
  ...Object.values(invitationContracts),
  providerKeysValidateContract,
  providerKeysValidateBatchContract,
  providersContract,
  ...processors.map(({ webhook }) => webhook),
  ...Object.values(checkoutContracts),
  ...Object.values(signInContracts),
  ...Object.values(passkeyContracts),
  ...Object.values(sessionContracts),
  ...Object.values(accountContracts),
  ...Object.values(factorContracts),
  ...Object.values(linkContracts),
  ...Object.values(keyContracts),
  ...Object.values(consolePageContracts),
  signInOptionsContract,
  ...Object.values(consoleSessionContracts),
  livezContract,
  readyzContract,
  metricsContract,
  openapiContract,
  problemsPageContract,
  docsPageContract,
  docsScriptContract,
  docsStyleContract,
  ...Object.values(guideContracts),
]

/** Webhooks that Muster sends about changes: the section `webhooks` of the document. */
export const allMessages = webhookMessages
