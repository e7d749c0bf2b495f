import Type, { type Static, type TSchema } from 'typebox'
import type { Rows } from '../platform/database/database.ts'
import { normalizeDisplayName } from '../platform/http/formats.ts'
import { languages } from '../platform/mail/kinds.ts'

/**
 * Settings of a user's own account. Each is a nullable `text` column of `account` with the same name in snake case. `stored` returns the
 * spelling in which a valid value is stored. The contract of `/auth/account` with its
 * examples, its statements and the export of an account are derived from this list.
 */
export const preferences = {
  language: {
    schema: Type.Union([Type.Enum([...languages]), Type.Null()], {
      description: 'The language of emails to the user. `null`: that of the service (`MUSTER_MAIL_LANGUAGE`).',
    }),
    example: 'de',
  },
  displayName: {
    schema: Type.Union([Type.String({ format: 'display-name' }), Type.Null()], {
      description:
        'The name that other users see, with 1 to 200 characters. `null`: the name of the next token of a trusted issuer, if there is one.',
    }),
    example: 'Ada Lovelace',
    stored: normalizeDisplayName,
  },
} as const satisfies Readonly<Record<string, Preference>>

interface Preference {
  readonly schema: TSchema
  readonly example: string
  readonly stored?: (value: string) => string
}

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
export const preferencePairs = preferenceNames.map((name) => `'${name}', a.${columnOf(name)}`).join(', ')

function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Those that are left out stay as they are. Returns all, or undefined where there is no such account. */
export async function setPreferences(
  rows: Rows,
  accountId: string,
  changes: Partial<Preferences>,
): Promise<Preferences | undefined> {
  const [row] = await rows.query<{ readonly preferences: Preferences }>(setStatement, [
    accountId,
    JSON.stringify(storedOf(changes)),
  ])
  return row?.preferences
}

function storedOf(changes: Partial<Preferences>): Readonly<Record<string, string | null>> {
  const rules = new Map<string, Preference>(Object.entries(preferences))
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value && (rules.get(name)?.stored?.(value) ?? value)]),
  )
}

const changed = (name: string, to: string, otherwise: string) =>
  `case when $2::jsonb ? '${name}' then ${to} else ${otherwise} end`

const setStatement = {
  name: 'account_preferences_set',
  text: `
update account a set ${preferenceNames
    .map((name) => `${columnOf(name)} = ${changed(name, `$2::jsonb ->> '${name}'`, `a.${columnOf(name)}`)}`)
    .join(', ')},
  -- Later tokens of an issuer do not change a name that was set here.
  display_name_issuer = ${changed('displayName', 'null', 'a.display_name_issuer')},
  display_name_issued_at = ${changed('displayName', 'null', 'a.display_name_issued_at')}
where a.id = $1
returning json_build_object(${preferencePairs}) as preferences`,
}
