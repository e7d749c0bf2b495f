import Type, { type Static, type TSchema } from 'typebox'
import type { Rows } from '../platform/database/database.ts'
import { languages } from '../platform/mail/kinds.ts'

/**
 * Settings of a user's own account. Each is a nullable `text` column of `account` with the same name. The contract of `/auth/account` with its
 * examples, its statements and the export of an account are derived from this list.
 */
export const preferences = {
  language: {
    schema: Type.Union([Type.Enum([...languages]), Type.Null()], {
      description: 'The language of emails to the user. `null`: that of the service (`MUSTER_MAIL_LANGUAGE`).',
    }),
    example: 'de',
  },
} as const satisfies Readonly<Record<string, { readonly schema: TSchema; readonly example: string }>>

type Name = keyof typeof preferences
export type Preferences = { readonly [N in Name]: Static<(typeof preferences)[N]['schema']> }

export const preferenceNames: readonly string[] = Object.keys(preferences)
export const preferencesExample = Object.fromEntries(
  Object.entries(preferences).map(([name, { example }]) => [name, example]),
)

// `Object.fromEntries` forgets which name has which schema.
export const preferenceSchemas = Object.fromEntries(
  Object.entries(preferences).map(([name, { schema }]) => [name, schema]),
) as { [N in Name]: (typeof preferences)[N]['schema'] }

/** Arguments of `json_build_object` for a row `a` of `account`. */
export const preferencePairs = preferenceNames.map((name) => `'${name}', a.${name}`).join(', ')

/** Those that are left out stay as they are. Returns all, or undefined where there is no such account. */
export async function setPreferences(
  rows: Rows,
  accountId: string,
  changes: Partial<Preferences>,
): Promise<Preferences | undefined> {
  const [row] = await rows.query<{ readonly preferences: Preferences }>(setStatement, [
    accountId,
    JSON.stringify(changes),
  ])
  return row?.preferences
}

const setStatement = {
  name: 'account_preferences_set',
  text: `
update account a set ${preferenceNames
    .map((name) => `${name} = case when $2::jsonb ? '${name}' then $2::jsonb ->> '${name}' else a.${name} end`)
    .join(', ')}
where a.id = $1
returning json_build_object(${preferencePairs}) as preferences`,
}
