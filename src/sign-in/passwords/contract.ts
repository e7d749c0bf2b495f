/** Shortest new password that an operator may allow, in characters. */
const passwordLengthMin = 8
/** Longest password, in characters: far above any real one, so that hashing stays bounded. */
export const passwordLengthMax = 1_024

/** An existing password, for which only its being right matters. */
export const passwordRules = { minLength: 1, maxLength: passwordLengthMax } as const

export const newPasswordRules = {
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description:
    'At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 where the role of the account requires a second factor, 5 of them different. A common or breached password, or a word of the address, the service or the own organisations, is refused, also with digits and symbols around it.',
} as const
