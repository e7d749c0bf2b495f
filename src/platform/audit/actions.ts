/** All actions of the audit log. The meaning of an action never changes. docs/audit.md repeats this table; a test compares them. */
export const auditActions = {
  // Users
  'account.created': 'An operator created a user. Users that the token of another issuer creates are not recorded.',
  'account.disabled': 'A user was disabled.',
  'account.enabled': 'A disabled user was enabled again.',
  'account.role_changed': 'The role of a user was changed. `from`, `to`.',
  'account.renamed': 'An operator changed the display name of a user.',
  'account.displaced':
    'Another user verified the email that this user had not verified. This user lost the email and the password.',
  'account.erase_requested': 'A user was scheduled for deletion. `erasesAt`: the time of the deletion.',
  'account.kept': 'The scheduled deletion of a user was canceled.',
  'account.erased': 'A user and their data were deleted.',
  'account.exported': 'All data of a user was exported.',
  'account.email_taken':
    'A token had a verified email that another user of the same issuer has already verified here. The new user was created with the email unverified. `issuer`; `accountId`: the user that has verified it.',
  'account.linked': 'A token of another issuer was linked to an existing user by its verified email. `issuer`.',

  // Acting as a user
  'act_as.started':
    'An administrator started to act as a user. `expiresAt`: until when; `reason`: the reason that they gave.',
  'act_as.used': 'An administrator acting as this user read data. `operation`: the operation that was called.',
  'act_as.ended':
    'An administrator stopped acting as a user before the time was over: they ended it, chose another user, or either user was disabled or got another role.',

  // The built-in issuer
  'session.opened': 'A user signed in. `amr`: the authentication methods.',
  'session.stepped_up':
    'A user authenticated again in an open session. `amr`: all authentication methods of the session.',
  'session.refused':
    'A sign-in was rejected. The target is the user with that email, if there is one. `step`: `second` for a code; `count`: rejections within ten minutes, missing for a single one.',
  'session.ended': 'A user signed out, or an operator ended the session.',
  'session.all_ended':
    'An operator ended every session, such as after a restore. `sessions`: the number of open sessions.',
  'session.reused':
    'A refresh token was used twice, which ended its session. The token may have been stolen. `accountId`: the user.',
  'session.suspected': 'A session was ended after 50 wrong passwords or codes.',
  'device.removed': 'A user removed a known device.',
  'device.revoked': 'A known device was removed after 50 wrong passwords with its token.',
  'account.invited':
    'An operator invited an email to sign up. `role`; `provesEmail`: whether signing up with the invitation verifies the email.',
  'account.signed_up': 'A user signed up with a password.',
  'password.changed': 'A password was changed.',
  'password.expired':
    'An operator ended a password with an old hash scheme. The user chooses a new password by account recovery. `scheme`.',
  'password.refused': 'A password was wrong that an open session required again.',
  'code.refused': 'A code was wrong that an open session required.',
  'factor.added':
    'A second factor was verified with its first code, or a passkey was added. `type`: `passkey`, missing for others.',
  'factor.removed': 'A second factor was removed.',
  'passkey.counter':
    'A passkey was rejected because its signature counter did not increase. The passkey may have been copied. `accountId`: the user.',
  'recovery_codes.replaced': 'New recovery codes were created.',
  'recovery.link_created':
    'A link was created with which a user chooses a new password. `resetsFactors`: whether it also removes the second factors; `isMailed`: whether it was mailed.',
  'recovery.completed':
    'A user chose a new password with a link. `resetsFactors`: whether the link removed the second factors.',
  'recovery.device_known': 'A user made a device known with a recovery link, without changing the password.',
  'account.unlocked': 'An operator cleared the sign-in rate limit of a user.',
  'account.email_changed': 'An operator changed the email of a user.',
  'account.email_requested': 'A user requested to change or verify their email.',
  'account.email_withdrawn': 'A user canceled the change of their email.',
  'account.email_confirmed': 'A user confirmed a new email with a mailed link. The email is now verified.',
  'account.email_undone':
    'The previous email of a user was restored with the link that was mailed to it. This ended all sessions and devices, the password, and factors added since.',
  'factors.reset': 'An operator removed all second factors and recovery codes of a user.',
  'signing_key.rotated': 'The signing key was rotated. `withdrawsOld`: whether the old key was withdrawn immediately.',

  // Permissions
  'role.created': 'A role was created.',
  'role.removed': 'A role was removed.',
  'role.mfa_changed': 'The second-factor requirement of a role was changed. `requiresMfa`: the new value.',
  'role.granted': 'A permission was granted to a role. `resource`, `action`.',
  'role.revoked': 'A permission was revoked from a role. `resource`, `action`.',
  'plan.created': 'A plan was created. `name`, if it has one; `isDefault`, if it is the default.',
  'plan.changed':
    'The name, the rank, the prices or the default of a plan were changed. The new `name`, `rank` or `isDefault`, and the prices that were `mapped` or `unmapped`.',
  'plan.removed': 'A plan was removed.',
  'plan.granted': 'A permission was granted to a plan. `resource`, `action`.',
  'plan.revoked': 'A permission was revoked from a plan. `resource`, `action`.',

  // Service keys
  'service_key.created': 'A service key was created. `name`, `permissions`, `organization`, `expiresAt`.',
  'service_key.rotated':
    'A service key was replaced by a new one. `by`: ID of the new key; `endsAt`: when the old key expires.',
  'service_key.revoked': 'A service key was revoked.',

  // Webhooks
  'webhook_endpoint.created': 'A webhook endpoint was registered. `host`, `events`.',
  'webhook_endpoint.changed': 'A webhook endpoint was changed. `host`, `events` or `isEnabled`: the new values.',
  'webhook_endpoint.rotated':
    'The signing secret of a webhook endpoint was replaced. `overlapSeconds`: how long Muster signs with the old secret too.',
  'webhook_endpoint.removed': 'A webhook endpoint was removed.',
  'webhook_endpoint.tested': 'A test event was sent to a webhook endpoint.',
  'webhook_endpoint.replayed': 'Webhooks were sent again. `deliveries`: the number of deliveries.',
  'webhook_endpoint.disabled':
    'Muster disabled a webhook endpoint. `why`: it returned 410 (`gone`), or failed for three days (`failing`).',

  // Organizations
  'organization.created': 'An organization was created.',
  'organization.renamed': 'An organization was renamed. `from`, `to`.',
  'organization.deleted':
    'An organization was deleted. `name`; `members`: the number of members; `serviceKeys`: the number of its service keys; `subscriptions`: the subscriptions that had not ended, missing if none.',
  'organization.mfa_changed':
    'The second-factor requirement of an organization was changed. `requiresMfa`: the new value.',
  'invitation.created':
    'An invitation was created. `organization`, `role`; `isMailed`: whether it was mailed, missing for a link.',
  'invitation.sent':
    'An invitation was sent again. `organization`; `isMailed`: whether it was mailed, missing for a new link.',
  'invitation.declined': 'The invited user declined an invitation. `organization`.',
  'invitation.revoked': 'An invitation was revoked. `organization`.',
  'invitation.accepted': 'An invitation was accepted. `organization`, `role`.',
  'membership.added': 'An operator added a member. `organization`, `role`.',
  'membership.role_changed': 'The role of a member was changed. `organization`, `from`, `to`.',
  'membership.removed': 'A member left or was removed. `organization`.',

  // Provider keys
  'provider_key.checked':
    'A provider key was checked. `provider`, `unknown` if it is not supported, `keyType`, `outcome`, `isProofSent` if it sent the write of a proof; never any part of the key.',

  // Billing
  'customer.linked':
    'A customer of the payment processor was linked to a user or an organization. `account` or `organization`.',
  'billing.sync_started':
    'An administrator started to reconcile all subscriptions with the payment processors. `processors`.',
  'customer.confirmed': 'An operator confirmed the owner that the payer named. `account` or `organization`.',
} as const satisfies Record<string, string>

export type AuditAction = keyof typeof auditActions
