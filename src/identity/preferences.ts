import Type, { type Static } from 'typebox'
import { languages } from '../platform/mail/kinds.ts'

/**
 * Settings of a user's own account. Each is a nullable `text` column of `account` with the same name. The contract of
 * `/auth/account`, its statements and the export of an account are derived from this list.
 */
export const preferences = {
  language: Type.Union([Type.Enum([...languages]), Type.Null()], {
    description: 'The language of emails to the user. `null`: the default of the service (`MUSTER_MAIL_LANGUAGE`).',
  }),
} as const

export type Preferences = { readonly [Name in keyof typeof preferences]: Static<(typeof preferences)[Name]> }

export const preferenceNames: readonly string[] = Object.keys(preferences)

/** Arguments of `json_build_object` for a row `a` of `account`. */
export const preferencePairs = preferenceNames.map((name) => `'${name}', a.${name}`).join(', ')
