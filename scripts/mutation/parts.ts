/** What decides who is calling and what they may do, and the tests that hold it; paths or beginnings of paths. */
export interface Part {
  readonly name: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

/** They read the text of sources, which is another with the mutants compiled in, or run programs of the build. */
export const leftOutFiles: readonly string[] = [
  'test/identity/issuer-recipes.test.ts',
  'test/identity/role-writes.test.ts',
  'test/sign-in/mail-docs.test.ts',
  'test/sign-in/signing-in-docs.test.ts',
]

/** Compares the document with what is made of the contracts now. */
export const documentTest = 'test/generated.test.ts'
/** Schemas and problems of operations: the generated document has every one of them. */
const document = [documentTest, 'test/api-docs/']

/** Reads of several rooms on behalf of a user. */
const actAs = 'test/identity/act-as.test.ts'

export const parts: readonly Part[] = [
  {
    name: 'sign-in',
    sources: ['src/sign-in/'],
    tests: [
      'test/sign-in/',
      'test/users/operator-actions.test.ts',
      'test/cli/recovery-commands.test.ts',
      'test/cli/import.test.ts',
      'test/status/metrics.test.ts',
      // Its page refreshes and ends sessions.
      'test/console/session.test.ts',
      actAs,
      ...document,
    ],
  },
  {
    name: 'user-data',
    sources: ['src/user-data/'],
    tests: [
      'test/user-data/',
      'test/service-keys/callers.test.ts',
      'test/identity/directory.test.ts',
      'test/identity/required-factor.test.ts',
      'test/identity/accounts-of-issuers.test.ts',
      'test/users/sign-in-state.test.ts',
      'test/users/data-of-user.test.ts',
      actAs,
      ...document,
    ],
  },
  {
    name: 'identity',
    sources: ['src/identity/', 'src/service-keys/service-keys.ts'],
    tests: [
      'test/identity/',
      'test/service-keys/',
      'test/user-data/',
      'test/app.test.ts',
      'test/platform/http/deprecation.test.ts',
      'test/organizations/',
      // Erasure, what an account takes away, and accounts that are displaced.
      'test/users/erasure.test.ts',
      'test/users/operator-actions.test.ts',
      // An operation that takes too long.
      'test/users/list.test.ts',
      'test/sign-in/own-account.test.ts',
      'test/sign-in/pre-hijacking.test.ts',
      'test/sign-in/notifications.test.ts',
      'test/sign-in/recovery.test.ts',
      'test/billing/checkout.test.ts',
      'test/webhooks/manage.test.ts',
      'test/cli/rights-commands.test.ts',
      'test/cli/erasure.test.ts',
      'test/cli/issuer-commands.test.ts',
      ...document,
    ],
  },
  {
    name: 'key-checks',
    sources: ['src/key-checks/engine/', 'src/platform/addresses.ts', 'src/key-checks/route.ts'],
    tests: ['test/key-checks/'],
  },
  {
    name: 'billing',
    sources: [
      'src/billing/apply-event.ts',
      'src/billing/subscription-sql.ts',
      'src/billing/events.ts',
      'src/billing/customers.ts',
      'src/billing/payer.ts',
      'src/billing/plans.ts',
      'src/billing/sync.ts',
      'src/billing/signature.ts',
      'src/billing/processors/',
    ],
    tests: ['test/billing/', 'test/user-data/route.test.ts', 'test/cli/billing-commands.test.ts', documentTest],
  },
]
