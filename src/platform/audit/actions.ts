/**
 * Everything that is noted in the audit trail, and what each note means. An action is a promise like the code of a problem:
 * it never changes its meaning. docs/audit.md lists the same; a test holds the two together.
 */
export const auditActions = {
  // Accounts
  'account.created': 'An operator made an account. Accounts that arrive with a token of another issuer are not noted.',
  'account.disabled': 'An account was disabled.',
  'account.enabled': 'A disabled account was enabled again.',
  'account.role_changed': 'An account got another role. `from`, `to`.',
  'account.linked': 'A token of another issuer was linked to an existing account by its verified address. `issuer`.',

  // The built-in issuer
  'session.opened': 'Somebody signed in. `amr`: how.',
  'session.refused': 'A sign-in was refused. The target is the account, where there is one with that address.',
  'session.ended': 'Somebody signed out, or a session was ended by an operator.',
  'session.reused': 'A refresh token came a second time, and its session was ended: it may have been stolen.',
  'account.invited': 'Somebody was invited to sign up. `role`.',
  'account.signed_up': 'Somebody made an account with a password.',
  'password.changed': 'A password was changed.',
  'password.refused': 'A wrong password where it was asked for again in an open session.',
  'factor.added': 'A second factor was confirmed by its first code.',
  'factor.removed': 'A second factor was removed.',
  'recovery_codes.replaced': 'New recovery codes were made.',
  'signing_key.rotated': 'The signing key was changed. `withdrawsOld`: whether the old one was withdrawn at once.',

  // What people may do
  'role.created': 'A role was made.',
  'role.removed': 'A role was removed.',
  'role.granted': 'A role got a permission. `resource`, `action`.',
  'role.revoked': 'A permission was taken from a role. `resource`, `action`.',
  'plan.created': 'A plan was made.',
  'plan.changed': 'A plan got another name, other prices, or became the default.',
  'plan.removed': 'A plan was removed.',
  'plan.granted': 'A plan got a permission. `resource`, `action`.',
  'plan.revoked': 'A permission was taken from a plan. `resource`, `action`.',

  // Organisations
  'organization.created': 'An organisation was made.',
  'invitation.created': 'An invitation was made. `organization`, `role`.',
  'invitation.revoked': 'An invitation was taken back. `organization`.',
  'invitation.accepted': 'An invitation was accepted. `organization`, `role`.',
  'membership.added': 'An operator made somebody a member. `organization`, `role`.',
  'membership.role_changed': 'A member got another role. `organization`, `from`, `to`.',
  'membership.removed': 'A member left or was removed. `organization`.',

  // Provider keys
  'provider_key.checked':
    'A credential was checked. `provider`, `keyType`, `outcome`; never anything of the credential.',

  // Billing
  'customer.linked': 'A customer of the payment processor was linked to an account or an organisation.',
} as const satisfies Record<string, string>

export type AuditAction = keyof typeof auditActions
