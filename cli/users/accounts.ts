import { recordAudit } from '../../src/platform/audit/audit.ts'
import { type ListedAccount, streamAccounts } from '../../src/users/accounts.ts'
import { findAccount, findTrustedAccount } from '../find-account.ts'
import { print } from '../print.ts'
import { type Column, printRows } from '../table.ts'
import { withConfig, withDatabase } from '../with-database.ts'
import { emailText, requireName } from './names.ts'

// The commands load here what the others of this file do not need.

/** `muster users list`. */
export async function listUsers({ json }: { readonly json?: true }): Promise<void> {
  await withDatabase(({ database }) => printRows(streamAccounts(database), columns, json))
}

const columns: readonly Column<ListedAccount>[] = [
  { title: 'NAME', of: ({ displayName }) => displayName ?? '', widthMin: 12 },
  { title: 'EMAIL', of: ({ email }) => emailText(email ?? ''), widthMin: 32 },
  { title: 'VERIFIED', of: ({ emailProved }) => (emailProved ? 'yes' : 'no') },
  { title: 'ROLE', of: ({ role }) => role, widthMin: 6 },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'CREATED', of: ({ createdAt }) => createdAt.slice(0, 10) },
  { title: 'ORGANIZATIONS', of: ({ orgs }) => orgs.map(({ name }) => name).join(', '), widthMin: 13 },
  { title: 'ID', of: ({ id }) => id, isOptional: true },
]

/** `muster users disable` and `enable`. */
export async function setDisabled(who: string, disabled: boolean): Promise<void> {
  const { setUserDisabledAsOperator } = await import('../../src/users/operator-actions.ts')
  await withConfig(async (context) => {
    const { id } = await findAccount(context.database, who)
    const changed = await setUserDisabledAsOperator(context, { id, disabled })
    print(`${who} ${changed ? 'is now' : 'was already'} ${disabled ? 'disabled' : 'enabled'}.`)
  })
}

/** `muster users set-role`. */
export async function setUserRole(who: string, role: string, options: { readonly unproved?: true }): Promise<void> {
  const { requireRole } = await import('../permissions.ts')
  const { setAccountRole } = await import('../../src/identity/grants.ts')
  await withConfig(async (context) => {
    const { id } = await findTrustedAccount(context.database, who, options)
    await requireRole(context.database, 'account', role)
    const before = await setAccountRole(context, id, role)
    print(
      before === role
        ? `${who} already has the role ${role}.`
        : `Changed the role of ${who} from ${before} to ${role}.`,
    )
  })
}

/** `muster users set-name`. */
export async function setUserName(who: string, name: string | undefined): Promise<void> {
  const { setPreferences } = await import('../../src/identity/preferences.ts')
  const displayName = requireName(name) ?? null
  await withDatabase(async ({ database }) => {
    const { id } = await findAccount(database, who)
    await database.transaction(async (rows) => {
      await setPreferences(rows, id, { displayName })
      await recordAudit(rows, { action: 'account.renamed', target: { kind: 'account', id } })
    })
    print(displayName === null ? `Removed the name of ${who}.` : `Changed the name of ${who} to ${displayName}.`)
  })
}

/** `muster users sign-out`. */
export async function signOut(who: string): Promise<void> {
  const { endSessionsOf } = await import('../../src/sign-in/sessions/sessions.ts')
  await withDatabase(async ({ database }) => {
    const { id } = await findAccount(database, who)
    const ended = await database.transaction(async (rows) => {
      const sessions = await endSessionsOf(rows, id)
      for (const session of sessions)
        await recordAudit(rows, { action: 'session.ended', target: { kind: 'session', id: session } })
      return sessions.length
    })
    print(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'}.`)
  })
}
