/** Shortest new password, in characters; 15 are recommended (NIST SP 800-63B §3.1.1.2). */
export const passwordLengthMin = 8
/** Longest password, in characters: far above any real one, so that hashing stays bounded. */
export const passwordLengthMax = 1_024

/** An existing password, for which only its being right matters. */
export const passwordRules = { minLength: 1, maxLength: passwordLengthMax } as const

export const newPasswordRules = {
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description: 'At least 8 characters, of any kind; 15 are better. The most common passwords are refused.',
} as const
