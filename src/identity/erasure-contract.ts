import Type from 'typebox'

/** The answer to the erasure of an account, by its owner or by an administrator. */
export const erasureAnswer = {
  description: 'When the account is erased',
  content: {
    'application/json': {
      schema: Type.Object(
        { erasesAt: Type.String({ description: 'RFC 3339. Until then the owner can keep it.' }) },
        { additionalProperties: false, $id: 'Erasure' },
      ),
      examples: { later: { summary: 'In two weeks', value: { erasesAt: '2026-11-16T08:00:00.000Z' } } },
    },
  },
} as const

/** What holds an erasure up. */
export const erasureProblems = ['last_administrator', 'last_owner', 'subscription_active'] as const
