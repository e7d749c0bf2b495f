import { type Preferences, preferences, setPreferences } from '../../src/identity/preferences.ts'
import { recordAudit } from '../../src/platform/audit/audit.ts'
import { compileValidator } from '../../src/platform/http/input.ts'
import { Fault } from '../errors.ts'
import { findAccount } from '../find-account.ts'
import { print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

/**
 * `muster users set-name`, and any command that sets a preference. `label` is its name in messages. Without a value, the user has none
 * afterwards.
 */
export async function setPreference(
  who: string,
  { preference, label }: { readonly preference: keyof Preferences; readonly label: string },
  value: string | undefined,
): Promise<void> {
  if (value !== undefined) requireValid(preference, label, value)
  await withDatabase(async ({ database }) => {
    const { id } = await findAccount(database, who)
    const stored = await database.transaction(async (rows) => {
      const all = await setPreferences(rows, id, { [preference]: value ?? null })
      if (preference === 'displayName')
        await recordAudit(rows, { action: 'account.renamed', target: { kind: 'account', id } })
      return all?.[preference] ?? undefined
    })
    print(stored === undefined ? `Removed the ${label} of ${who}.` : `Changed the ${label} of ${who} to ${stored}.`)
  })
}

function requireValid(preference: keyof Preferences, label: string, value: string): void {
  const [schema] = preferences[preference].schema.anyOf
  const { error } = compileValidator({ schema, httpPart: 'body' })(value)
  if (error) throw new Fault(`The ${label} ${error.more.errors?.[0]?.detail ?? 'is not valid'}.`)
}
