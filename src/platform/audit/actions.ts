/**
 * Every action of the audit trail with its meaning. An action is a promise, like the code of a problem: its meaning never changes.
 * docs/audit.md lists the same; a test compares the two.
 */
export const auditActions = {
  // Accounts
  'account.created':
    'An operator created an account. Accounts that a token of another issuer creates are not recorded.',
  'account.disabled': 'An account was disabled.',
  'account.enabled': 'A disabled account was enabled again.',
  'account.role_changed': 'The role of an account was changed. `from`, `to`.',
  'account.displaced':
    'The address that this account had without a proof was proved by another user: it lost the address and its password.',
  'account.erase_requested': 'An account is to be erased. `erasesAt`: when.',
  'account.kept': 'An account that was to be erased stays.',
  'account.erased': 'An account was erased, with what was its own.',
  'account.exported': 'A copy of everything about an account was made.',
  'account.email_taken':
    'A token had a verified address that another user of the same issuer has proved here: the user got a separate account without proof of the address. `issuer`; `accountId`: the account that has proved it.',
  'account.linked': 'A token of another issuer was linked to an existing account by its verified address. `issuer`.',

  // Administrators who act as a user
  'act_as.started':
    'An administrator began to act as a user, whose data they read until `expiresAt`. `reason`: what they wrote as the reason.',
  'act_as.used': 'An administrator read as this user. `operation`: what.',
  'act_as.ended':
    'An administrator does not act as a user any more, before the time: they stopped, chose another user, or either account was disabled or got another role.',

  // The built-in issuer
  'session.opened': 'A user signed in. `amr`: how.',
  'session.stepped_up': 'A user authenticated again in an open session. `amr`: how, so far.',
  'session.refused':
    'A sign-in was refused. The target is the account with that address, if there is one. `step`: `second` for a code; `count`: how often within ten minutes, from the second on.',
  'session.ended': 'A user signed out, or an operator ended the session.',
  'session.all_ended': 'An operator ended every session, such as after a restore. `sessions`: how many were open.',
  'session.reused':
    'A refresh token was used twice, and its session was ended: the token may have been stolen. `accountId`: whose it was.',
  'session.suspected': 'Fifty wrong passwords or codes in one session ended it.',
  'device.removed': 'A user removed a device: it is unknown now.',
  'device.revoked': 'Fifty wrong passwords with the token of one device: it is unknown now.',
  'account.invited':
    'An operator invited an address to sign up. `role`; `provesEmail`: whether the token goes to its owner.',
  'account.signed_up': 'A user created an account with a password.',
  'password.changed': 'A password was changed.',
  'password.expired':
    'An operator ended a password whose hash was of an old scheme: the user chooses another by account recovery. `scheme`.',
  'password.refused': 'A wrong password where an open session asks for it again.',
  'code.refused': 'A wrong code where an open session asks for one.',
  'factor.added': 'A second factor was verified by its first code, or a passkey was added. `type`: `passkey`.',
  'factor.removed': 'A second factor was removed.',
  'passkey.counter':
    'A passkey was refused because its counter was not higher than at its last use: it may have been copied. `accountId`: whose it is.',
  'recovery_codes.replaced': 'New recovery codes were created.',
  'recovery.link_created':
    'A link was made with which the owner of an account chooses a new password. `resetsFactors`: also without second factors; `isMailed`: whether it is mailed.',
  'recovery.completed': 'A new password was chosen with a link. `resetsFactors`: whether the factors were removed.',
  'recovery.device_known': 'A link made a device known; the password stayed as it is.',
  'account.unlocked': 'An operator gave an account all attempts to sign in back.',
  'account.email_changed': 'An operator changed the address of an account.',
  'account.email_requested': 'The owner of an account asked to change its address, or to prove the one it has.',
  'account.email_withdrawn': 'The owner of an account withdrew the change of its address that they had asked for.',
  'account.email_confirmed': 'The owner of an account confirmed its address with a mailed link: it has it from now on.',
  'account.email_undone':
    'An earlier address was put back with the link that it was mailed. Everything that opened the account has ended.',
  'factors.reset': 'An operator removed every second factor and recovery code of an account.',
  'signing_key.rotated': 'The signing key was changed. `withdrawsOld`: whether the old one was withdrawn at once.',

  // Permissions
  'role.created': 'A role was created.',
  'role.removed': 'A role was removed.',
  'role.mfa_changed': 'A role requires a second factor from now on, or no longer. `requiresMfa`.',
  'role.granted': 'A permission was granted to a role. `resource`, `action`.',
  'role.revoked': 'A permission of a role was revoked. `resource`, `action`.',
  'plan.created': 'A plan was created. `name`, where it has one; `isDefault`, where it is the default.',
  'plan.changed':
    'The name, the prices or the default of a plan were changed. `name`, `mapped`, `unmapped` (prices) or `isDefault`: what it has now.',
  'plan.removed': 'A plan was removed.',
  'plan.granted': 'A permission was granted to a plan. `resource`, `action`.',
  'plan.revoked': 'A permission of a plan was revoked. `resource`, `action`.',

  // Service keys
  'service_key.created': 'A service key was created. `name`, `permissions`, `organization`, `expiresAt`.',
  'service_key.rotated': 'A service key was replaced by a new one. `by`: its id; `endsAt`: when the old one ends.',
  'service_key.revoked': 'A service key was revoked.',

  // Webhooks
  'webhook_endpoint.created': 'An endpoint of webhooks was registered. `host`, `events`.',
  'webhook_endpoint.changed': 'An endpoint of webhooks was changed. `host`, `events` or `isEnabled`: what it has now.',
  'webhook_endpoint.rotated':
    'The signing secret of an endpoint of webhooks was replaced. `overlapSeconds`: how long the one before signs, too.',
  'webhook_endpoint.removed': 'An endpoint of webhooks was removed.',
  'webhook_endpoint.tested': 'A test event was sent to an endpoint of webhooks.',
  'webhook_endpoint.replayed': 'Webhooks were sent again. `deliveries`: how many.',
  'webhook_endpoint.disabled':
    'The service disabled an endpoint of webhooks. `why`: it answered 410 (`gone`), or took none for three days (`failing`).',

  // Organisations
  'organization.created': 'An organisation was created.',
  'organization.mfa_changed': 'An organisation requires a second factor from now on, or no longer. `requiresMfa`.',
  'invitation.created': 'An invitation was created. `organization`, `role`.',
  'invitation.revoked': 'An invitation was revoked. `organization`.',
  'invitation.accepted': 'An invitation was accepted. `organization`, `role`.',
  'membership.added': 'An operator added a member. `organization`, `role`.',
  'membership.role_changed': 'The role of a member was changed. `organization`, `from`, `to`.',
  'membership.removed': 'A member left or was removed. `organization`.',

  // Provider keys
  'provider_key.checked':
    'A credential was checked. `provider`, `keyType`, `outcome`; never anything of the credential.',

  // Billing
  'customer.linked':
    'A customer of the payment processor was linked to an account or an organisation. `account` or `organization`.',
  'billing.sync_started':
    'An administrator started a reconciliation of all subscriptions with the payment processors. `processors`.',
  'customer.confirmed': 'An operator confirmed the owner that the payer had named. `account` or `organization`.',
} as const satisfies Record<string, string>

export type AuditAction = keyof typeof auditActions
