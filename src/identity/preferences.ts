import Type, { type Static } from 'typebox'
import { languages } from '../platform/mail/kinds.ts'

/**
 * What users set for their own account. Each is a column of `account` with the same name, of the type `text`, and null until the user sets
 * it. The contract of `/auth/account`, its statements and the copy of an account follow from this list.
 */
export const preferences = {
  language: Type.Union([Type.Enum([...languages]), Type.Null()], {
    description: 'The language of emails to the user. `null`: that of the service (`MUSTER_MAIL_LANGUAGE`).',
  }),
} as const

export type Preferences = { readonly [Name in keyof typeof preferences]: Static<(typeof preferences)[Name]> }

export const preferenceNames: readonly string[] = Object.keys(preferences)

/** Arguments of `json_build_object` for a row `a` of `account`. */
export const preferencePairs = preferenceNames.map((name) => `'${name}', a.${name}`).join(', ')
