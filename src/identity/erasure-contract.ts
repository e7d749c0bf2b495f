import { json, named, time } from '../platform/http/contract.ts'

/** The response when a user or an administrator requests the deletion of an account. */
export const erasureAnswer = json(
  'When the account will be deleted',
  named('Erasure', {
    erasesAt: time('The user can restore the account until then.'),
  }),
  { erasesAt: '2026-11-16T08:00:00.000Z' },
)

/** Problems that block a deletion. */
export const erasureProblems = ['last_administrator', 'last_owner', 'subscription_active'] as const
