import { readUserSubscriptions } from '../../src/billing/user-subscriptions.ts'
import type { UserSubscriptions } from '../../src/billing/user-subscriptions-contract.ts'
import { readLockouts } from '../../src/sign-in/sessions/account-buckets.ts'
import { issuerNamesOf } from '../../src/sign-in/settings.ts'
import type { UserRecord } from '../../src/users/contract.ts'
import { findUser, readUser } from '../../src/users/operator-actions.ts'
import type { UserFactors, UserSessions } from '../../src/users/sign-in-contract.ts'
import { readUserFactors, readUserSessions } from '../../src/users/sign-in-state.ts'
import { Fault } from '../errors.ts'
import { findAccount } from '../find-account.ts'
import { printJson, printPairs } from '../print.ts'
import { type ConfiguredContext, withConfig } from '../with-database.ts'
import { emailText } from './names.ts'

interface ShowOptions {
  readonly issuer?: string
  readonly subject?: string
  readonly json?: true
}

type ShownUser = UserRecord & UserSubscriptions & UserFactors & UserSessions

/** `muster users show`. */
export async function showUser(who: string | undefined, options: ShowOptions): Promise<void> {
  const user = await withConfig(async (context) => read(context, await idOf(context, who, options)))
  if (options.json) printJson(user)
  else printPairs(pairsOf(user))
}

async function idOf(
  { database, config }: ConfiguredContext,
  who: string | undefined,
  { issuer, subject }: ShowOptions,
) {
  if (who !== undefined && issuer === undefined && subject === undefined) return (await findAccount(database, who)).id
  if (who === undefined && issuer !== undefined && subject !== undefined)
    return findUser(database, { issuer: issuerNamesOf(config).stored(issuer), subject })
  throw new Fault('Name the user by email or ID, or by --issuer and --subject.')
}

async function read({ database, config }: ConfiguredContext, userId: string): Promise<ShownUser> {
  const { user } = await readUser(database, userId)
  const target = { userId, within: undefined }
  const { isEnabled, sessionIdleSeconds } = config.issuer
  const subscriptions = await readUserSubscriptions(database, userId)
  const sessions = await readUserSessions(database, target, isEnabled ? sessionIdleSeconds : undefined)
  const factors = await readUserFactors(database, target)
  const waits = isEnabled ? await readLockouts(database, userId) : []
  return {
    ...issuerNamesOf(config).shown(user),
    ...(waits.length > 0 && { signInWaits: waits }),
    // Trust boundary: the statements make these objects.
    ...(JSON.parse(subscriptions) as UserSubscriptions),
    ...(JSON.parse(factors) as UserFactors),
    ...(JSON.parse(sessions) as UserSessions),
  }
}

function pairsOf(user: ShownUser): readonly (readonly [string, string])[] {
  const { email, emailProved, defaultPlan, signInWaits = [] } = user
  const lines: readonly (readonly [string, readonly (string | undefined)[]])[] = [
    ['ID', [user.id]],
    ['name', [user.displayName]],
    ['email', [email === undefined ? 'none' : `${emailText(email)} (${emailProved ? 'verified' : 'unverified'})`]],
    ['role', [user.role]],
    ['status', [user.status]],
    ['created', [user.createdAt]],
    ['disabled', [user.disabledAt]],
    ['deleted on', [user.erasesAt]],
    ['organization', user.orgs.map(({ id, name, role }) => `${name} (${role}, ${id})`)],
    ['identity', user.identities.map(({ issuer, subject }) => `${subject} at ${issuer}`)],
    ['default plan', [defaultPlan?.name]],
    ['subscription', user.subscriptions.map(subscriptionText)],
    ['second factor', user.factors.map(({ kind, name, createdAt }) => `${kind} ${name}, added ${createdAt}`)],
    ['session', user.sessions.map(sessionText)],
    ['rate limit', signInWaits.map(({ scope, until }) => `${scope}, ${until ? `until ${until}` : 'until unlocked'}`)],
  ]
  return lines.flatMap(([name, values]) =>
    values.flatMap((value) => (value === undefined ? [] : [[name, value] as const])),
  )
}

function sessionText({ createdAt, lastUsedAt, address, userAgent }: UserSessions['sessions'][number]): string {
  const from = [address, userAgent].filter((part) => part !== undefined).join(', ')
  return `${createdAt}, last used ${lastUsedAt}${from && `, from ${from}`}`
}

function subscriptionText({ id, status, plan, organization }: UserSubscriptions['subscriptions'][number]): string {
  const owner = organization ? `, of ${organization.name}` : ''
  return `${plan?.name ?? 'no plan'} (${status}, ${id}${owner})`
}
