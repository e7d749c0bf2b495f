/** Lowest value of `MUSTER_PASSWORD_LENGTH_MIN`. */
const passwordLengthMin = 8
/** Longest password, in characters. It bounds the work of hashing. */
export const passwordLengthMax = 1_024

/** An existing password, which need not follow the rules for new ones. */
export const passwordRules = { minLength: 1, maxLength: passwordLengthMax } as const

export const newPasswordRules = {
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description:
    'At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 if the role of the account requires a second factor, and at least 5 different ones. Rejects common and breached passwords, and words from the email, the service and the user’s organizations, even with digits and symbols around them.',
} as const
