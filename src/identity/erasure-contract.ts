import Type from 'typebox'
import { json, named } from '../platform/http/contract.ts'

/** The answer to the erasure of an account, by its owner or by an administrator. */
export const erasureAnswer = json(
  'When the account is erased',
  named('Erasure', { erasesAt: Type.String({ description: 'RFC 3339. Until then the owner can keep it.' }) }),
  { erasesAt: '2026-11-16T08:00:00.000Z' },
)

/** What holds an erasure up. */
export const erasureProblems = ['last_administrator', 'last_owner', 'subscription_active'] as const
