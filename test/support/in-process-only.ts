import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Files and folders whose tests start a service of the sources only, each with the reason. All other files that start a service or run
 * commands run against the bundle as well (`MUSTER_TEST_PROGRAM=bundle`), but for their tests that are declared by `testInProcess`.
 */
export const inProcessOnly: Readonly<Record<string, string>> = {
  'test/app.test.ts': 'looks at the routes of the application',
  'test/billing/processors.test.ts': 'runs a processor that is not in the build',
  'test/billing/reconciled-subscriptions.test.ts': 'reconciles by the parts of the service',
  'test/billing/sync.test.ts': 'reconciles by the parts of the service',
  'test/faults/clocks.test.ts': 'moves the clock',
  'test/faults/database-gone.test.ts': 'drains the service by hand',
  'test/http/admin/webhooks/deliver.test.ts': 'sends the webhooks by hand',
  'test/http/admin/webhooks/manage.test.ts': 'sends the webhooks by hand',
  'test/http/outgoing/proxy.test.ts': 'sends the webhooks by hand',
  'test/http/auth/account/keep-challenges.test.ts': 'moves the clock to the next code',
  'test/http/auth/account/mail-languages.test.ts': 'sends the mails by hand',
  'test/http/auth/account/notifications.test.ts': 'sends the mails by hand',
  'test/http/auth/account/own-account.test.ts': 'moves the clock to the next code',
  'test/http/auth/account/password.test.ts': 'moves the clock to the next code',
  'test/http/auth/email/email-change.test.ts': 'sends the mails by hand',
  'test/http/auth/email/email-withdrawal.test.ts': 'sends the mails by hand',
  'test/http/auth/email/proved-elsewhere.test.ts': 'sends the mails by hand',
  'test/http/auth/factors/added-passkeys.test.ts': 'sends the mails by hand',
  'test/http/auth/factors/factor-changes.test.ts': 'moves the clock to the next code',
  'test/http/auth/factors/factors.test.ts': 'moves the clock to the next code',
  'test/http/auth/factors/passkey-factors.test.ts': 'opens the session of an operator',
  'test/http/auth/recovery/links-at-once.test.ts': 'sends the mails by hand',
  'test/http/auth/recovery/mail-docs.test.ts': 'sends the mails by hand',
  'test/http/auth/recovery/mailed-recovery.test.ts': 'sends the mails by hand',
  'test/http/auth/recovery/recovery.test.ts': 'moves the clock to the next code',
  'test/http/auth/sign-in/edges-of-drift.test.ts': 'moves the clock to the next code',
  'test/http/auth/sign-in/guessing.test.ts': 'moves the clock to the next code',
  'test/http/auth/sign-in/half-sign-ins.test.ts': 'sends the mails by hand',
  'test/http/auth/sign-in/right-proofs.test.ts': 'moves the clock to the next code',
  'test/http/auth/sign-in/second-step.test.ts': 'moves the clock to the next code',
  'test/http/auth/sign-in/signing-in-docs.test.ts': 'moves the clock to the next code',
  'test/http/auth/sign-in/totp-drift.test.ts': 'moves the clock from code to code',
  'test/http/auth/sign-up/mailed-sign-up.test.ts': 'sends the mails by hand',
  'test/http/callers/accounts-of-issuers.test.ts': 'moves the clock',
  'test/http/callers/forged-tokens.test.ts': 'injects thousands of requests',
  'test/http/console/files.test.ts': 'has a built console of its own',
  'test/http/docs/guide.test.ts': 'has a built site of its own',
  'test/http/every-operation/levels.test.ts': 'moves the clock to the next code',
  'test/http/every-operation/required-factor.test.ts': 'moves the clock to the next code',
  'test/http/every-operation/writes-limit.test.ts': 'moves the clock',
  'test/http/user/data/first-login.test.ts': 'sends the mails by hand',
  'test/http/webhooks/customers.test.ts': 'is about the order of statements, not about HTTP',
  'test/http/well-known/signing-keys.test.ts': 'moves the clock',
  'test/identity/others-untouched.test.ts': 'has rows that the upkeep and the webhooks of a running service change',
  'test/identity/remote-keys.test.ts': 'moves the clock',
  'test/identity/unusable-key-set.test.ts': 'reads the fault that stops the start',
  'test/platform/http/deprecation.test.ts': 'mounts an operation of its own',
  'test/platform/tracing/tracing.test.ts': 'stops the service by hand, which sends the last spans',
  'test/service/shutdown.test.ts': 'starts the bundle itself',
  'test/sign-in/first-admin.test.ts': 'makes the administrator by hand',
  'test/sign-in/hashing-lanes.test.ts': 'holds the turns of hashing',
  'test/sign-in/outbox.test.ts': 'sends the mails by hand',
  'test/sign-in/password-work.test.ts': 'counts what the library of hashes is asked',
  'test/sign-in/sign-ins-in-flight.test.ts': 'holds transactions of the service',
  'test/users/list-plans.test.ts': 'is about plans of statements, not about HTTP',
  'test/webhooks/docs.test.ts': 'sends the webhooks by hand',
  'test/webhooks/plans.test.ts': 'is about plans of statements, not about HTTP',
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const runsProgram = /\b(startService|serviceForTest|startBilled|billedForTest|runMuster)\b|\/test-client\.ts'/

/** Files of tests that start a service or run commands, without the long ones. */
function filesThatRunPrograms(): readonly string[] {
  return readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('.long.test.ts'))
    .filter((path) => runsProgram.test(readFileSync(`${root}${path}`, 'utf8')))
    .sort()
}

export function filesForBundle(): readonly string[] {
  const leftOut = Object.keys(inProcessOnly)
  return filesThatRunPrograms().filter((path) => !leftOut.some((start) => path.startsWith(start)))
}
