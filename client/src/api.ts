// Generated from openapi.json by scripts/client-types.ts.

/** The shapes of the contract, by name. */
export interface Schemas {
UserData: {
subscription?: {
plan_id?: string
plan_name?: string
/** The payment processor’s own word, such as `active`. */
status?: string
/** Customer id at the payment processor. */
billing_customer_id?: string
}
orgSubscription?: {
plan_id?: string
plan_name?: string
/** The payment processor’s own word, such as `active`. */
status?: string
/** Customer id at the payment processor. */
billing_customer_id?: string
org_id?: string
}
/** From resource to the actions that the caller may do. */
permissions: {
[name: string]: string[]
}
/** The caller’s current organisation. */
orgId?: string
/** True during the whole first session in which the user’s data are read. */
isFirstLogin: boolean
/** Verified factors only. */
mfaFactors: ({
id: string
friendlyName?: string
})[]
/** Only with `details=true`: whether permissions are missing until this session shows a second factor, because the role or the organisation requires one. */
mfaRequired?: boolean
}
User: {
id: string
email?: string
role: string
orgs: ({
id: string
name: string
})[]
}
Users: {
users: Schemas['User'][]
}
ListedUser: {
id: string
email?: string
/** Whether it is proved that the address is that of the user. */
emailProved: boolean
status: "active" | "disabled" | "erasing"
role: string
/** Whether the user is enabled and the role grants `users:change_role` and `users:enable`. */
isAdministrator: boolean
/** RFC 3339. */
createdAt: string
/** RFC 3339. Of the built-in issuer, from the audit trail. Absent where it is not known: there was none, or it is too long ago. */
lastSignInAt?: string
/** The id of the plan that is in force: that of the user’s own subscription, or the default plan without one. Absent where the subscription is not in force. */
plan?: string
}
ListedUsers: {
users: Schemas['ListedUser'][]
}
UserRecord: {
id: string
email?: string
/** Whether it is proved that the address is that of the user. Otherwise anyone may have typed it. */
emailProved: boolean
role: string
status: "active" | "disabled" | "erasing"
/** RFC 3339. */
createdAt: string
/** RFC 3339. */
disabledAt?: string
/** Of status `erasing`: until when the account can be kept. RFC 3339. */
erasesAt?: string
orgs: ({
id: string
name: string
/** In this organisation. */
role: string
})[]
/** The account at the issuers whose tokens are accepted. */
identities: ({
issuer: string
subject: string
})[]
/** Of the answer to a read, where wrong passwords or codes have made some wait. It is no part of the state that `ETag` names. */
signInWaits?: ({
/** Whose attempts to sign in wait. */
scope: "unknown_devices" | "known_network" | "device" | "session" | "second_step"
/** RFC 3339. Absent where time does not help: codes of authenticator apps are refused. */
until?: string
})[]
}
RoleChange: {
role: string
}
UserErasure: {
immediately?: boolean
}
Erasure: {
/** RFC 3339. Until then the owner can keep it. */
erasesAt: string
}
EndedSessions: {
ended: number
}
Recovery: {
resetFactors?: boolean
}
RecoveryLink: {
link: string
/** RFC 3339. */
expiresAt: string
}
LinkMailed: Record<string, never>
UserSession: {
id: string
/** RFC 3339. */
createdAt: string
/** RFC 3339. When it was opened or last refreshed. */
lastUsedAt: string
/** RFC 3339. When it ends if it is not refreshed any more. */
expiresAt: string
/** How the user authenticated (RFC 8176). `operator`: an operator opened it. */
amr: string[]
/** The address that it was opened from. */
address?: string
/** The user agent of the client that opened it. */
userAgent?: string
}
UserSessions: {
sessions: Schemas['UserSession'][]
}
UserFactor: {
/** Of the factor in this service. */
id: string
/** `totp` is an authenticator app. */
kind: "totp" | "passkey"
/** As the user called it. */
name: string
/** RFC 3339. */
createdAt: string
/** RFC 3339. Known of passkeys that have been used. */
lastUsedAt?: string
}
UserFactors: {
factors: Schemas['UserFactor'][]
}
NewActAs: {
/** Why, such as the number of a ticket. It stands in the audit trail. */
reason: string
}
ActAs: {
/** For the header `Act-As`. */
userId: string
/** RFC 3339. */
expiresAt: string
}
ListedOrganization: {
id: string
name: string
/** RFC 3339. */
createdAt: string
/** How many accounts are members. */
members: number
/** Whether what the organisation grants its members counts only in a session with a second factor. */
requiresMfa: boolean
/** The id of the plan of its own subscription. Absent without one, and where it is not in force. */
plan?: string
}
ListedOrganizations: {
organizations: Schemas['ListedOrganization'][]
}
ListedRole: {
id: string
name: string
/** Whether it is for members of organizations. Every other role is for accounts. */
forMembers: boolean
/** Whether what it grants counts only in a session with a second factor. */
requiresMfa: boolean
/** From resource to the actions that it grants. */
permissions: {
[name: string]: string[]
}
}
ListedRoles: {
roles: Schemas['ListedRole'][]
}
ListedPlan: {
id: string
name: string
/** Whether accounts without a subscription have it. */
isDefault: boolean
/** Ids of the prices of the payment processor that buy it. */
prices: string[]
/** From resource to the actions that it grants. */
permissions: {
[name: string]: string[]
}
}
ListedPlans: {
plans: Schemas['ListedPlan'][]
}
UserSubscription: {
/** Of the payment processor, as the ids of its customer and prices. */
id: string
/** The processor’s own word. */
status: string
/** Whether its plan grants its permissions: of status `active`, `trialing` or `past_due`, and with a plan. */
isInForce: boolean
/** The plan that its price is mapped to. Absent where there is none. */
plan?: {
id: string
name: string
}
priceIds: string[]
/** As the processor calls it, where it is known. */
productName?: string
customerId: string
processor: string
/** False where only the payer has named the owner: the customer is not used for checkout and portal. */
isConfirmed: boolean
/** The organisation of the user that has it. Absent where it is the user’s own. */
organization?: {
id: string
name: string
}
/** RFC 3339. When the subscription began. */
createdAt: string
/** RFC 3339. By the processor’s clock, what is shown is no older than this. */
asOf: string
}
UserSubscriptions: {
subscriptions: Schemas['UserSubscription'][]
/** The plan that the user has without a subscription. Absent where the user has a subscription, or where there is no default plan. */
defaultPlan?: {
id: string
name: string
}
}
SyncReport: {
/** Subscriptions of the processor that were compared. */
checked: number
/** Subscriptions that differed and were corrected: each is an event that was lost. `changes` says what differed. */
repaired: {
count: number
first: ({
id: string
changes: string[]
})[]
}
/** Customers that were linked to an owner. */
linked: {
count: number
first: string[]
}
/** Stored subscriptions that the processor does not know. They stay as they are. */
unknown: {
count: number
first: string[]
}
}
ProcessorStatus: {
id: string
title: string
/** Secrets that are not set: without that of the webhook every event is refused, without the key of the API nothing is reconciled or sold. */
missingSettings: string[]
/** Whether its subscriptions can be listed, and so compared. */
reconciles: boolean
/** RFC 3339. When the last reconciliation was finished, by any node or command. */
lastSyncAt?: string
lastReport?: Schemas['SyncReport']
/** RFC 3339. When the last reconciliation that was not finished was given up. */
lastFailureAt?: string
/** Why: the code of a problem, or `interrupted` by the end of the process. */
lastFailure?: string
}
UnmappedPrice: {
id: string
productName?: string
/** How many have it. They grant nothing. */
subscriptions: number
}
WaitingCustomer: {
/** Of the payment processor. */
id: string
processor: string
subscriptions: ({
id: string
status: string
priceId: string
})[]
/** For whom it was claimed. There is no such account or organisation, or it has another customer. */
claim?: {
kind: "account" | "organization" | "any"
/** What the merchant or the payer wrote. */
value: string
}
}
UnconfirmedCustomer: {
/** Of the payment processor. */
id: string
processor: string
subscriptions: ({
id: string
status: string
priceId: string
})[]
/** Whom the payer has named. */
owner: {
kind: "account" | "organization"
id: string
/** The address of the account, or the name of the organisation. */
name: string
}
}
BillingStatus: {
/** The payment processors that are configured. */
processors: Schemas['ProcessorStatus'][]
/** `MUSTER_BILLING_SYNC_HOURS`: hours between two reconciliations, 0 for never. */
syncHours: number
/** Whether a node reconciles now. */
isSyncing: boolean
/** RFC 3339. When the newest event of a webhook was received. */
lastEventAt?: string
/** Prices of subscriptions that are mapped to no plan. */
unmapped: {
prices: Schemas['UnmappedPrice'][]
/** Whether there are more than the first 100, which are listed. */
hasMore: boolean
}
/** Customers with a subscription and without an owner. */
waiting: {
customers: Schemas['WaitingCustomer'][]
/** Whether there are more than the first 100, which are listed. */
hasMore: boolean
}
/** Customers whose owner only their payer has named: not used for checkout and portal. */
unconfirmed: {
customers: Schemas['UnconfirmedCustomer'][]
/** Whether there are more than the first 100, which are listed. */
hasMore: boolean
}
}
CustomerOwner: {
accountId?: string
orgId?: string
}
PriceMapping: {
planId: string
}
StartedSync: {
/** Which are compared, one after the other. */
processors: string[]
}
AuditEvent: {
id: string
/** RFC 3339. */
at: string
/** docs/audit.md lists them. */
action: string
/** Who acted. Absent where it is not known, such as of a sign-in that was refused. */
actorKind?: "account" | "service" | "operator"
/** The account or the service key. */
actorId?: string
/** The address that the account has now. */
actorEmail?: string
/** Of the service key. */
actorName?: string
/** The user of the operating system who ran a command of `muster`. */
operator?: string
/** What was changed. */
target?: {
kind: string
id: string
}
/** Of the caller. */
address?: string
requestId?: string
/** Further members, which depend on the action. */
details: Record<string, never>
}
AuditEvents: {
events: Schemas['AuditEvent'][]
/** Events before this time are removed, refused sign-ins already after `MUSTER_KEEP_REFUSALS_DAYS`. RFC 3339. Absent where all are kept for ever. */
keptSince?: string
}
SystemStatus: {
/** RFC 3339. When this was read. */
at: string
node: {
/** Name of the machine or container. */
host: string
version: string
/** Of the sources, where the package was made of a commit. */
commit?: string
/** Of Node.js. */
nodeVersion: string
/** RFC 3339. When the process started. */
startedAt: string
/** It is about to stop, and `/readyz` is 503. */
isDraining: boolean
}
database: {
/** `external`: by `DATABASE_URL`. */
place: "embedded" | "external"
/** Of PostgreSQL. */
version: string
state: "up" | "read_only" | "full" | "saturated" | "refused" | "unreachable"
/** What led to the state, where it is not `up`: an SQLSTATE, or a code of the system. */
cause?: string
/** Failed statements and connections since the start. */
failures: ({
code: string
count: number
})[]
/** Connections of this process. */
pools: ({
name: string
max: number
busy: number
/** Requests that wait for a connection. */
waiting: number
/** Requests that got none, since the start. */
refused: number
})[]
}
/** How far the clock of this node is ahead of that of the database. */
clock: {
offsetSeconds: number
isFar: boolean
}
schema: {
/** Number of the newest migration of the database. */
version: number
/** Number of the newest migration of this release. */
releaseVersion: number
pending: string[]
ahead: string[]
}
issuers: ({
issuer: string
/** `remote`: its keys are fetched. `configured`: they are in the settings. */
kind: "built_in" | "remote" | "configured"
/** Of a remote one. `stale`: it cannot be reached, and its last keys still serve. `unavailable`: its tokens cannot be verified. */
keys?: "fresh" | "stale" | "unavailable"
})[]
jobs: ({
/** `upkeep` erases what is due and deletes old rows. `backup`: the daily one of the embedded database. */
name: "upkeep" | "reconciliation" | "backup"
/** Of a reconciliation: the payment processor. */
subject?: string
/** RFC 3339. When it was last finished, by any node. Absent if it never was. */
lastAt?: string
/** RFC 3339. When it is due again, where it runs by itself. */
nextAt?: string
/** RFC 3339. When it last failed, where that was after it was last finished. */
lastFailureAt?: string
/** The code of the problem, of the system or of PostgreSQL, or `interrupted`. */
lastFailure?: string
})[]
mail: {
isConfigured: boolean
waiting: number
/** Since the oldest mail that waits was written; 0 where none waits. */
oldestSeconds: number
/** In the last 24 hours. */
sent: number
retried: ({
kind: string
fault: string
mails: number
})[]
givenUp: ({
kind: string
fault: string
mails: number
})[]
}
/** How often each limit of this process was reached since its start. */
limits: ({
name: string
reached: number
})[]
/** The worst first. */
advice: ({
/** Stable. */
code: string
/** `fail`: something does not work. */
level: "warn" | "fail"
detail: string
/** What the sentence is about, by name. */
values: {
[name: string]: string
}
/** What to run. */
command?: string
/** What to set. */
setting?: string
})[]
/** Every setting, in the order of docs/configuration.md. */
settings: ({
name: string
/** False where the default holds. */
isSet: boolean
isSecret: boolean
/** The value, or the default. Never of a secret; empty where nothing is set. */
value?: string
})[]
}
ServiceKeyRecord: {
id: string
name: string
/** How the key begins. */
hint: string
/** From resource to the actions that the key may do. */
permissions: {
users?: ("list" | "read")[]
user_data?: "read"[]
provider_keys?: "validate"[]
organization?: "read"[]
}
/** The key reads what lies in this organisation, and nothing else. */
orgId?: string
/** RFC 3339. */
createdAt: string
/** RFC 3339. */
expiresAt: string
/** RFC 3339, written every 15 minutes at most. */
lastUsedAt?: string
/** `rotated`: another key replaces it, and it works until `expiresAt`. */
status: "active" | "rotated" | "expired" | "revoked"
}
ServiceKeys: {
keys: Schemas['ServiceKeyRecord'][]
}
NewServiceKey: {
name: string
/** From resource to the actions that the key may do. */
permissions: {
users?: ("list" | "read")[]
user_data?: "read"[]
provider_keys?: "validate"[]
organization?: "read"[]
}
/** Default: 90. */
expiresInDays?: number
/** Confines the key to this organisation. Without it there is no bound. */
orgId?: string
}
CreatedServiceKey: {
id: string
name: string
/** How the key begins. */
hint: string
/** From resource to the actions that the key may do. */
permissions: {
users?: ("list" | "read")[]
user_data?: "read"[]
provider_keys?: "validate"[]
organization?: "read"[]
}
/** The key reads what lies in this organisation, and nothing else. */
orgId?: string
/** RFC 3339. */
createdAt: string
/** RFC 3339. */
expiresAt: string
/** RFC 3339, written every 15 minutes at most. */
lastUsedAt?: string
/** `rotated`: another key replaces it, and it works until `expiresAt`. */
status: "active" | "rotated" | "expired" | "revoked"
/** The key. It is shown once. */
key: string
}
RotateServiceKey: {
/** How long the old key still works. Default: 86400. */
overlapSeconds?: number
}
ListedWebhookEndpoint: {
id: string
description?: string
/** The types of events that are sent. */
events: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.deleted" | "subscription.changed" | "organization.created" | "organization.updated" | "organization.deleted" | "organization.member_added" | "organization.member_changed" | "organization.member_removed")[]
/** `failing`: no try has succeeded since `failingSince`. To one that is disabled nothing is sent. */
status: "enabled" | "failing" | "disabled"
/** RFC 3339. */
failingSince?: string
/** RFC 3339. */
disabledAt?: string
/** `administrator`: a person disabled it; `gone`: it answered 410; `failing`: no try succeeded for three days. */
disabledBecause?: "administrator" | "gone" | "failing"
/** Until then the secret before signs, too. RFC 3339. */
previousSecretUntil?: string
/** RFC 3339. */
createdAt: string
/** The host of the address, with its port. The rest may be a secret of the receiver. */
host: string
}
WebhookEndpoints: {
webhooks: Schemas['ListedWebhookEndpoint'][]
}
NewWebhookEndpoint: {
/** Begins with `https://`, without a user name, a password and a fragment, and leads to a public address. */
url: string
description?: string
/** The types of events that are sent. */
events: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.deleted" | "subscription.changed" | "organization.created" | "organization.updated" | "organization.deleted" | "organization.member_added" | "organization.member_changed" | "organization.member_removed")[]
}
WebhookEndpointWithSecret: {
id: string
description?: string
/** The types of events that are sent. */
events: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.deleted" | "subscription.changed" | "organization.created" | "organization.updated" | "organization.deleted" | "organization.member_added" | "organization.member_changed" | "organization.member_removed")[]
/** `failing`: no try has succeeded since `failingSince`. To one that is disabled nothing is sent. */
status: "enabled" | "failing" | "disabled"
/** RFC 3339. */
failingSince?: string
/** RFC 3339. */
disabledAt?: string
/** `administrator`: a person disabled it; `gone`: it answered 410; `failing`: no try succeeded for three days. */
disabledBecause?: "administrator" | "gone" | "failing"
/** Until then the secret before signs, too. RFC 3339. */
previousSecretUntil?: string
/** RFC 3339. */
createdAt: string
url: string
/** The signing secret. It is shown once. */
secret: string
}
WebhookEndpointChange: {
/** Begins with `https://`, without a user name, a password and a fragment, and leads to a public address. */
url?: string
description?: string
/** The types of events that are sent. */
events?: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.deleted" | "subscription.changed" | "organization.created" | "organization.updated" | "organization.deleted" | "organization.member_added" | "organization.member_changed" | "organization.member_removed")[]
/** What happens while an endpoint is disabled is not sent to it later. */
isEnabled?: boolean
}
WebhookEndpoint: {
id: string
description?: string
/** The types of events that are sent. */
events: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.deleted" | "subscription.changed" | "organization.created" | "organization.updated" | "organization.deleted" | "organization.member_added" | "organization.member_changed" | "organization.member_removed")[]
/** `failing`: no try has succeeded since `failingSince`. To one that is disabled nothing is sent. */
status: "enabled" | "failing" | "disabled"
/** RFC 3339. */
failingSince?: string
/** RFC 3339. */
disabledAt?: string
/** `administrator`: a person disabled it; `gone`: it answered 410; `failing`: no try succeeded for three days. */
disabledBecause?: "administrator" | "gone" | "failing"
/** Until then the secret before signs, too. RFC 3339. */
previousSecretUntil?: string
/** RFC 3339. */
createdAt: string
url: string
}
RotateWebhookSecret: {
/** How long the secret before still signs, too. Default: 86400. */
overlapSeconds?: number
}
AcceptedWebhookDeliveries: {
/** How many will be sent. */
deliveries: number
}
WebhookDelivery: {
id: string
/** The header `webhook-id` of every try. */
eventId: string
type: string
/** The id of what changed: of a user, an organisation or a subscription. */
subject: string
state: "pending" | "delivered" | "failed"
/** Since the event, or the last replay. */
tries: number
/** RFC 3339. */
createdAt: string
/** RFC 3339. */
triedAt?: string
/** Of a pending one: not before. RFC 3339. */
nextAt?: string
/** Of the last answer. */
status?: number
/** Code of the last fault, where there was no answer. */
fault?: string
}
WebhookDeliveries: {
deliveries: Schemas['WebhookDelivery'][]
}
ReplayFailedWebhooks: {
/** RFC 3339, in UTC. */
since: string
}
OwnOrganization: {
id: string
name: string
/** The caller’s, in this organisation. */
role: string
}
OwnOrganizations: {
orgs: Schemas['OwnOrganization'][]
}
NewOrganization: {
name: string
}
InvitationToken: {
token: string
}
Member: {
/** Of the account. */
id: string
email?: string
/** In this organisation. */
role: string
/** RFC 3339. */
joinedAt: string
}
Members: {
members: Schemas['Member'][]
}
MemberRole: {
role: string
}
InvitationRequest: {
role?: string
expiresInHours?: number
}
NewInvitation: {
id: string
/** The role that the invitation gives. */
role: string
/** RFC 3339. */
createdAt: string
/** RFC 3339. */
expiresAt: string
token: string
}
Invitation: {
id: string
/** The role that the invitation gives. */
role: string
/** RFC 3339. */
createdAt: string
/** RFC 3339. */
expiresAt: string
}
Invitations: {
invitations: Schemas['Invitation'][]
}
OrganizationSecurity: {
/** Whether what the organisation grants its members counts only in a session with a second factor. */
requiresMfa: boolean
}
OrganizationTransfer: {
userId: string
}
/** What the key is for, at least one of the two. The answer is in `details.fitsPurpose`, so it needs `?details=true`. It changes neither the calls to the provider nor `isValid`. */
KeyPurpose: {
/** The zone that the key is for: a host name, in ASCII. */
zone?: string
/** What it has to be able to do. */
ability?: "zones:list" | "dns:read" | "dns:edit" | "cdn:read" | "cdn:edit" | "cdn:purge" | "cdn:purge_all"
}
KeyCheck: {
/** The credential. It is passed on to the provider and never stored. */
apiKey: string
keyType: "api_token" | "api_key"
/** Needed where the provider’s key type says so (Cloudflare: `api_key`). */
email?: string
/** An id of `GET /api/v1/providers`. Default: cloudflare. */
provider?: string
/** The other parts of a credential that has several, by the names in `fields` of `GET /api/v1/providers`. They are passed on to the provider and never stored. */
parts?: {
[name: string]: string
}
for?: Schemas['KeyPurpose']
}
KeyCapabilities: {
/** Its scopes, in the words of the provider. */
scopes?: string[]
/** What a read or its scopes show that it may do. */
abilities?: ("zones:list" | "dns:read" | "dns:edit" | "cdn:read" | "cdn:edit" | "cdn:purge" | "cdn:purge_all")[]
/** What they show that it may not do. What stands in neither list is not known. */
lacks?: ("zones:list" | "dns:read" | "dns:edit" | "cdn:read" | "cdn:edit" | "cdn:purge" | "cdn:purge_all")[]
/** The provider also limits it to what its owner may do, and that was not read: it may do less than `abilities`. */
limitedByOwner?: true
/** How many zones are listed to it. */
zonesVisible?: number
/** Their names. All of them where there are as many as `zonesVisible`, otherwise the first. */
zones?: string[]
/** The services that it is limited to, by the ids of the provider. */
services?: string[]
/** The addresses that it may be used from (IP or CIDR). */
addresses?: string[]
}
KeyDetails: {
provider: string
/** The outcome, stable: see docs/messages.md. */
code: string
/** What it turned out to be, such as `user_token`. */
credential: string
/** RFC 3339. */
notBefore?: string
/** RFC 3339. */
expiresOn?: string
/** Limits of a valid credential, or an end that is near. */
warnings: string[]
capabilities?: Schemas['KeyCapabilities']
/** Whether it fits `for` of the body: `yes` and `no` only where that was shown. */
fitsPurpose?: "yes" | "no" | "unknown"
/** Why, and what is missing: one sentence for a person. */
purpose?: string
/** RFC 3339. */
checkedAt: string
/** Whether the verdict comes from the cache. */
cached: boolean
}
KeyVerdict: {
/** Whether the provider accepts this credential as genuine and in force, of the stated type. */
isValid: boolean
/** One sentence for a person, from a fixed catalogue. */
message: string
details?: Schemas['KeyDetails']
}
KeyBatch: {
keys: (Schemas['KeyCheck'] | (Record<string, never>))[]
}
CredentialField: {
name: string
/** Where the value goes in the body of a check: a JSON pointer (RFC 6901). */
at: string
/** What the provider calls it. */
label: string
/** Whether a form hides what is typed. */
secret: boolean
required: boolean
/** Whether the value is a file of several lines. */
multiline: boolean
/** What it usually looks like: for a warning in a form. The service does not check it. */
pattern?: string
example?: string
/** The only values. */
options?: string[]
/** What holds where it is omitted. */
default?: string
/** Required where another field, by its name, matches the pattern. */
requiredWhen?: {
[name: string]: string
}
}
Provider: {
/** What `provider` takes in a check. */
id: string
title: string
/** The provider’s documentation of its API. */
docs: string
/** Where its customers make a key. */
keyPage: string
keyTypes: ({
keyType: "api_token" | "api_key"
/** What the provider calls it. */
label: string
email: "required" | "unused"
/** The first call of a check, by method and address. */
asked: string
/** What the credential consists of, in the order of a form. */
fields: Schemas['CredentialField'][]
})[]
/** How well it is known what this provider answers. */
certainty: "documented" | "logged" | "client code" | "guess"
remarks?: string
}
Providers: {
providers: Schemas['Provider'][]
}
PaddleEvent: {
event_id: string
event_type: string
occurred_at: string
data: Record<string, never>
}
WebhookReceipt: {
received: true
/** applied: it changed something. older: a newer event was applied before. repeated: the same event was received before. noted: it was stored and changed nothing. ignored: Muster does not use this type of event. */
outcome: "applied" | "older" | "repeated" | "noted" | "ignored"
}
PolarEvent: {
type: string
timestamp: string
data: Record<string, never>
}
StripeEvent: {
id: string
type: string
created: number
data: {
object: Record<string, never>
}
}
CheckoutOrder: {
/** A price of the payment processor that is mapped to a plan. */
priceId: string
/** For example the number of users. Default: 1. */
quantity?: number
/** The organisation that pays, instead of the caller; needs `billing: ["manage"]` there. */
orgId?: string
/** Return address after the purchase. */
successUrl: string
/** Return address after a cancelled purchase. */
cancelUrl?: string
}
BillingPage: {
/** Redirect the person to this address. It is for this person only and expires soon. */
url: string
}
PortalOrder: {
/** The organisation that pays, instead of the caller; needs `billing: ["manage"]` there. */
orgId?: string
/** Return address. */
returnUrl: string
}
SignUp: {
email: string
/** At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 where the role of the account requires a second factor, 5 of them different. A common or breached password, or a word of the address, the service or the own organisations, is refused, also with digits and symbols around it. */
password?: string
invitation?: string
/** Whether to open a session; the default. `false` is for a page where the user does not go on: the answer is then 204. */
signIn?: boolean
}
SignedIn: {
/** RFC 9068. Send it as `Authorization: Bearer …`. */
access_token: string
token_type: "Bearer"
/** Seconds. */
expires_in: number
/** Works once: the exchange returns the next one. Sent again within a minute, it returns the same. */
refresh_token: string
/** Send it with the next sign-in: the device is then known, and not held up by the wrong passwords of others. Works for 180 days after its last use. */
device_token: string
/** The password was generated: until `PUT /auth/password` changed it, the session can only do that or sign out. */
password_change_required?: true
}
Taken: Record<string, never>
SignUpConfirmation: {
/** Of the link, behind `#token=`. */
token: string
/** At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 where the role of the account requires a second factor, 5 of them different. A common or breached password, or a word of the address, the service or the own organisations, is refused, also with digits and symbols around it. */
password: string
/** Whether to open a session; the default. `false` is for a page where the user does not go on: the answer is then 204. */
signIn?: boolean
}
SignIn: {
email: string
password: string
/** From an earlier sign-in. It proves that the device is known, and nothing else; any other is ignored. */
device_token?: string
/** Together with `code`. */
factorId?: string
code?: string
/** Instead of both. */
recoveryCode?: string
}
FactorName: {
id: string
/** `totp`: codes of an authenticator app. */
type: "totp" | "passkey"
friendlyName: string
}
PasskeyDescriptor: {
type: "public-key"
id: string
transports: string[]
}
/** For `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`. */
PasskeyRequestOptions: {
rpId: string
challenge: string
/** Milliseconds. */
timeout: number
userVerification: "required"
/** The passkeys of the account; absent where no account is known. */
allowCredentials?: Schemas['PasskeyDescriptor'][]
}
/** Where one of the factors is a passkey. */
PasskeyPrompt: {
options: Schemas['PasskeyRequestOptions']
}
Challenge: {
mfa_required: true
/** For the second step. It grants no access. */
challenge: string
/** Seconds. */
expires_in: number
/** One of these completes the sign-in; so does a recovery code. */
factors: Schemas['FactorName'][]
passkey?: Schemas['PasskeyPrompt']
}
/** What `navigator.credentials.get` answers, by its `toJSON`. */
PasskeyCredential: {
/** Base64url. */
id: string
/** The same. */
rawId: string
type: "public-key"
response: {
/** Challenge and origin, as the browser saw them. */
clientDataJSON: string
/** What the authenticator signed. */
authenticatorData: string
/** Over both. */
signature: string
/** The `user.id` of the options that the passkey was made with. */
userHandle?: string
}
}
SecondStep: {
challenge: string
/** From an earlier sign-in. It proves that the device is known, and nothing else; any other is ignored. */
device_token?: string
/** Together with `code`. */
factorId?: string
code?: string
/** Instead of both. */
recoveryCode?: string
credential?: Schemas['PasskeyCredential']
}
PasskeySignInStart: Record<string, never>
PasskeyRequest: {
options: Schemas['PasskeyRequestOptions']
}
PasskeySignIn: {
credential: Schemas['PasskeyCredential']
/** From an earlier sign-in. It proves that the device is known, and nothing else; any other is ignored. */
device_token?: string
}
Refresh: {
refresh_token: string
}
Tokens: {
/** RFC 9068. Send it as `Authorization: Bearer …`. */
access_token: string
token_type: "Bearer"
/** Seconds. */
expires_in: number
/** Works once: the exchange returns the next one. Sent again within a minute, it returns the same. */
refresh_token: string
}
StepUp: {
/** The current password. */
password?: string
/** Together with `code`. */
factorId?: string
code?: string
/** Instead of both. */
recoveryCode?: string
credential?: Schemas['PasskeyCredential']
}
AccessToken: {
/** RFC 9068. Send it as `Authorization: Bearer …`. */
access_token: string
token_type: "Bearer"
/** Seconds. */
expires_in: number
}
PasskeyStepUpStart: Record<string, never>
Device: {
id: string
/** The user agent of its last sign-in. */
label?: string
/** RFC 3339. */
createdAt: string
/** RFC 3339. The time of the last sign-in with it. */
lastUsedAt: string
/** Whether the session of the call was opened with it. */
isCurrent: boolean
}
Devices: {
devices: Schemas['Device'][]
}
Session: {
id: string
/** Whether the call comes from this session. */
isCurrent: boolean
/** RFC 3339. */
createdAt: string
/** RFC 3339. When it was opened or last refreshed. */
lastUsedAt: string
/** RFC 3339. Refreshing does not extend it. */
expiresAt: string
/** How the user authenticated (RFC 8176). */
amr: string[]
/** The address that it was opened from. */
address?: string
/** The user agent of the client that opened it. */
userAgent?: string
}
Sessions: {
sessions: Schemas['Session'][]
}
PasswordChange: {
currentPassword: string
/** At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 where the role of the account requires a second factor, 5 of them different. A common or breached password, or a word of the address, the service or the own organisations, is refused, also with digits and symbols around it. */
newPassword: string
}
EmailChange: {
newEmail: string
}
EmailConfirmation: {
/** Of the link, behind `#token=`. */
token: string
}
EmailUndo: {
/** Of the link, behind `#token=`. */
token: string
}
/** A change of address that is not confirmed yet. `DELETE /auth/email` withdraws it. */
OpenEmailChange: {
newEmail: string
/** RFC 3339. Of the links. */
expiresAt: string
/** The addresses whose link is still to be used. */
awaits: ("new" | "present")[]
}
OwnAccount: {
email: string | null
/** Whether its owner has shown that mail to it arrives. */
emailProved: boolean
/** Of the mails to the owner. `null`: that of the service (`MUSTER_MAIL_LANGUAGE`). */
language: ("en" | "de") | null
emailChange?: Schemas['OpenEmailChange']
}
AccountChange: {
/** Of the mails to the owner. `null`: that of the service (`MUSTER_MAIL_LANGUAGE`). */
language: ("en" | "de") | null
}
AccountPreferences: {
/** Of the mails to the owner. `null`: that of the service (`MUSTER_MAIL_LANGUAGE`). */
language: ("en" | "de") | null
}
AccountExport: {
/** RFC 3339. */
exportedAt: string
account: {
id: string
email?: string
emailProved: boolean
role: string
language?: string
/** RFC 3339. */
createdAt: string
/** RFC 3339. */
disabledAt?: string
/** RFC 3339. */
erasesAt?: string
/** The address of the password, normalised. */
signsInWith?: string
}
identities: ({
issuer: string
subject: string
})[]
memberships: ({
orgId: string
name: string
role: string
/** RFC 3339. */
joinedAt: string
})[]
subscriptions: ({
id: string
processor: string
customer: string
price: string
product?: string
status: string
/** RFC 3339. */
createdAt: string
})[]
sessions: ({
id: string
/** RFC 3339. */
createdAt: string
/** RFC 3339. */
lastUsedAt: string
/** RFC 3339. */
expiresAt: string
/** RFC 3339. */
endedAt?: string
amr: string[]
address?: string
userAgent?: string
})[]
devices: ({
id: string
label?: string
/** RFC 3339. */
createdAt: string
/** RFC 3339. */
lastUsedAt: string
})[]
factors: ({
id: string
/** `totp`: codes of an authenticator app. */
type: "totp" | "passkey"
friendlyName: string
/** RFC 3339. */
createdAt: string
})[]
/** What the account did, by the audit trail, the oldest first. */
events: ({
id: string
/** RFC 3339. */
at: string
action: string
target?: {
kind: string
id: string
}
address?: string
details: Record<string, never>
})[]
}
Keep: {
challenge: string
/** From an earlier sign-in. It proves that the device is known, and nothing else; any other is ignored. */
device_token?: string
/** Together with `code`. */
factorId?: string
code?: string
/** Instead of both. */
recoveryCode?: string
credential?: Schemas['PasskeyCredential']
}
Factor: {
id: string
/** `totp`: codes of an authenticator app. */
type: "totp" | "passkey"
friendlyName: string
/** RFC 3339. */
createdAt: string
}
Factors: {
factors: Schemas['Factor'][]
recoveryCodesLeft: number
/** Some are of an earlier release and have 79 random bits; new ones have 128. They still work: ask the user to replace them. */
recoveryCodesOutdated: boolean
}
NewFactor: {
friendlyName: string
/** The current password. */
password: string
}
Enrolment: {
id: string
friendlyName: string
/** For an authenticator app, in base32. Shown once. */
secret: string
/** The same secret as an `otpauth://` URI, for a QR code. */
uri: string
}
FirstCode: {
code: string
/** Whether every other session of the account ends. Those without a second factor always do. */
endOtherSessions?: boolean
}
ConfirmedFactor: {
id: string
/** `totp`: codes of an authenticator app. */
type: "totp" | "passkey"
friendlyName: string
/** Each works for one sign-in. Shown once. */
recoveryCodes?: string[]
}
FactorChange: {
friendlyName: string
}
FactorRemoval: {
/** The current password. */
password?: string
/** Of the code, where it is another factor’s. */
factorId?: string
code?: string
/** Instead of both. */
recoveryCode?: string
credential?: Schemas['PasskeyCredential']
/** Whether every other session of the account ends. Those without a second factor always do. */
endOtherSessions?: boolean
}
PasswordAgain: {
/** The current password. */
password: string
}
RecoveryCodes: {
/** Each works for one sign-in. Shown once. */
recoveryCodes: string[]
}
PasskeyStart: Record<string, never>
/** For `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`. */
PasskeyCreationOptions: {
rp: {
id: string
name: string
}
user: {
id: string
name: string
displayName: string
}
challenge: string
pubKeyCredParams: ({
type: "public-key"
alg: number
})[]
/** Milliseconds. */
timeout: number
excludeCredentials: Schemas['PasskeyDescriptor'][]
authenticatorSelection: {
residentKey: "required"
requireResidentKey: true
userVerification: "required"
}
attestation: "none"
}
PasskeyCreation: {
options: Schemas['PasskeyCreationOptions']
}
/** What `navigator.credentials.create` answers, by its `toJSON`. */
NewPasskeyCredential: {
/** Base64url. */
id: string
/** The same. */
rawId: string
type: "public-key"
response: {
/** Challenge and origin, as the browser saw them. */
clientDataJSON: string
/** The new public key. */
attestationObject: string
transports?: string[]
}
}
NewPasskey: {
friendlyName: string
credential: Schemas['NewPasskeyCredential']
/** Whether every other session of the account ends. Those without a second factor always do. */
endOtherSessions?: boolean
}
RecoveryRequest: {
email: string
}
LinkToken: {
/** Of the link, behind `#token=`. */
token: string
}
InspectedLink: {
/** Which operation takes the token. `recovery`, and `recovery_reset_factors`, which also removes the second factors: `POST /auth/recovery/complete`. `sign_up`: `POST /auth/sign-up/confirm`. `invitation`: `POST /auth/sign-up`, with the address. `email_change`, mailed to the new address, and `email_change_old`, mailed to the present one: `POST /auth/email/confirm`. `email_undo`: `POST /auth/email/undo`. */
purpose: "recovery" | "recovery_reset_factors" | "sign_up" | "invitation" | "email_change" | "email_change_old" | "email_undo"
/** The address of the account; of `sign_up`, `invitation` and `email_change` the new one, of `email_undo` the one that is put back. */
email: string
/** Of `email_change_old`: the address that the account is to have. */
newEmail?: string
/** Of a change of address: whether the link to the other address has to be used, too. */
awaitsOther?: boolean
/** Whether a new password needs a second factor or a recovery code too. */
needsFactor: boolean
/** One of these, where one is needed. */
factors: Schemas['FactorName'][]
passkey?: Schemas['PasskeyPrompt']
}
RecoveryCompletion: {
/** Of the link, behind `#token=`. */
token: string
/** At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 where the role of the account requires a second factor, 5 of them different. A common or breached password, or a word of the address, the service or the own organisations, is refused, also with digits and symbols around it. */
newPassword?: string
/** Together with `code`. */
factorId?: string
code?: string
/** Instead of both. */
recoveryCode?: string
credential?: Schemas['PasskeyCredential']
}
KnownDevice: {
/** Send it with the next sign-in. */
device_token: string
}
Discovery: {
issuer: string
jwks_uri: string
response_types_supported: string[]
grant_types_supported: string[]
subject_types_supported: string[]
id_token_signing_alg_values_supported: string[]
claims_supported: string[]
acr_values_supported: string[]
}
KeySet: {
keys: ({
[name: string]: unknown
})[]
}
RelatedOrigins: {
origins: string[]
}
SignInIssuer: {
/** Its name, from which the page finds its endpoints (OpenID Connect Discovery). */
issuer: string
/** For the button. */
title: string
/** The console as a public client of the issuer. */
clientId: string
scopes: string[]
/** Further parameters of the authorization request. `resource` is sent with the token request as well. */
parameters: {
[name: string]: string
}
/** What its tokens say of a sign-in with a second factor: asked for where an operation needs one. */
acrValues: string[]
}
SignInOptions: {
/** Whether this service signs users in itself. */
builtIn: boolean
issuers: Schemas['SignInIssuer'][]
}
ConsoleSession: {
refresh_token: string
}
Status: {
status: "ok"
}
Readiness: {
status: "ok"
/** Present where the database is not up. `read_only`, and `full` (its disk): reads work, changes are refused. `saturated`: it gives no further connection, and the node works with those that it has. */
database?: "read_only" | "full" | "saturated"
/** Issuers whose keys are not fresh, if any. Users of other issuers are not affected. */
issuers?: ({
issuer: string
/** `stale`: the issuer cannot be reached, and its last keys still serve. `unavailable`: its tokens cannot be verified. */
keys: "stale" | "unavailable"
})[]
}
OpenapiDocument: {
openapi: string
}
Problem: {
/** A link to what this code means. */
type: string
/** Fixed per code. */
title: string
status: number
/** Stable. What clients decide by. A later release may add codes. */
code: "body_malformed" | "input_invalid" | "request_malformed" | "host_invalid" | "cursor_invalid" | "provider_unsupported" | "route_unknown" | "method_not_allowed" | "format_not_acceptable" | "request_timeout" | "precondition_failed" | "body_too_large" | "uri_too_long" | "content_type_unsupported" | "expectation_failed" | "origin_refused" | "https_required" | "host_unknown" | "precondition_required" | "headers_too_large" | "method_unknown" | "version_unsupported" | "webhook_unsigned" | "webhook_outdated" | "webhook_unreadable" | "price_unknown" | "customer_owner_changed" | "sync_running" | "customer_unknown" | "token_missing" | "token_malformed" | "token_invalid" | "token_expired" | "session_ended" | "password_change_required" | "account_disabled" | "account_erasing" | "account_removed" | "step_up_required" | "account_unknown" | "caller_not_a_person" | "act_as_read_only" | "act_as_ended" | "permission_missing" | "permission_exceeds" | "self_change" | "organization_unknown" | "user_unknown" | "user_disabled" | "member_unknown" | "member_already" | "last_owner" | "invitation_unknown" | "invitations_full" | "subscription_active" | "last_administrator" | "service_key_unknown" | "service_key_name_taken" | "webhook_endpoint_unknown" | "webhook_delivery_unknown" | "webhook_endpoint_disabled" | "webhook_endpoints_full" | "issuer_unavailable" | "sign_in_refused" | "sign_in_wait" | "sign_up_refused" | "challenge_invalid" | "code_refused" | "passkey_refused" | "passkey_invalid" | "passkeys_unavailable" | "refresh_refused" | "password_wrong" | "factor_required" | "session_foreign" | "session_unknown" | "device_unknown" | "factor_unknown" | "factor_verified" | "factor_name_taken" | "factor_limit_reached" | "factor_missing" | "link_invalid" | "password_missing" | "mail_unconfigured" | "email_unproved" | "self_recovery" | "rotation_running" | "rate_limited" | "key_checks_held" | "database_unavailable" | "schema_unsupported" | "read_only" | "shutting_down" | "count_timeout" | "overloaded" | "provider_answer_unexpected" | "provider_refused" | "provider_address_refused" | "provider_clock_refused" | "provider_unreachable" | "provider_busy" | "provider_timeout" | "processor_refused" | "processor_unavailable" | "internal_error"
/** For a person. */
detail?: string
/** The id of this request, as in the log and in the header X-Request-Id. */
instance: string
/** Every fault of the input. */
errors?: (({
/** RFC 6901, into the body. */
pointer: string
detail: string
}) | ({
parameter: string
detail: string
}))[]
/** Of `permission_exceeds`: from each resource to the actions that the role or service key has and the caller’s own role does not grant. */
missing?: {
[name: string]: string[]
}
/** Of `sign_in_wait`: what has no attempts left, the e-mail address or the network. */
scope?: "account" | "network"
/** Of `sign_in_wait`: how to sign in before the wait is over. */
ways?: ("known_device" | "second_factor" | "recovery")[]
/** Of `step_up_required`: what the session must have proved. */
needs?: {
/** The level: `urn:muster:aal2`. */
acrValues?: string
/** The longest time since the user authenticated. */
maxAgeSeconds?: number
}
/** Of `account_erasing`: keeps the account, by `POST /auth/account/keep`, for five minutes. */
challenge?: string
/** Of `account_erasing`: one of these is needed to keep the account, or a recovery code. */
factors?: ({
id: string
type: string
friendlyName: string
})[]
/** Of `account_erasing`: for the browser, where one of the factors is a passkey. */
passkey?: {
options: {
[name: string]: unknown
}
}
/** Of `account_erasing`: until when it can be kept. RFC 3339. */
erasesAt?: string
}
WebhookUser: {
/** A UUID. */
id: string
email?: string
/** Otherwise anyone may have typed the address. */
emailProved: boolean
role: string
status: "active" | "disabled" | "erasing"
/** RFC 3339. */
createdAt: string
}
WebhookDeleted: {
/** A UUID. */
id: string
}
WebhookSubscription: {
/** Of the payment processor. */
id: string
/** Whose it is, where it is that of a user. */
userId?: string
/** Whose it is, where it is that of an organisation. */
orgId?: string
/** As the payment processor names it. */
status: string
/** The price, where no plan is mapped to it. */
planId: string
/** RFC 3339. */
createdAt: string
}
WebhookOrganization: {
/** A UUID. */
id: string
name: string
requiresMfa: boolean
/** RFC 3339. */
createdAt: string
}
WebhookMember: {
/** A UUID. */
orgId: string
/** A UUID. */
userId: string
/** In this organisation. */
role: string
}
WebhookRemovedMember: {
/** A UUID. */
orgId: string
/** A UUID. */
userId: string
}
WebhookTest: Record<string, never>
}

/** What each operation takes and answers, by method and path. */
export interface Operations {
/** The calling user’s data */
'GET /api/v1/user/data': {
input: {
params?: {
query?: {
/** Which of the caller’s organisations is the current one. Default: the first joined. */
orgId?: string
/** Whether to add the member `mfaRequired`. */
details?: boolean
}
header?: {
'Act-As'?: string
}
}
}
data: Schemas['UserData']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'act_as_ended' | 'permission_missing' | 'permission_exceeds' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List users */
'GET /api/v1/admin/users/fetch': {
input: {
params?: {
query?: {
/** Users on a page. Default, where a cursor is sent: 100. */
limit?: number
/** From the `Link` of the page before. Opaque; valid for the same filters and sort only. */
cursor?: string
/** A part of the e-mail address, in any case. Every character stands for itself; only ASCII is accepted. */
email?: string
/** The id of the role, exactly. */
role?: string
/** Administrators, or all others. An administrator is an enabled user whose role grants `users:change_role` and `users:enable`. */
administrator?: "true" | "false"
/** Members of the organisation with this id. */
orgId?: string
/** Accounts in this state. Those that are to be erased, `erasing`, are in no other list. */
status?: "active" | "disabled" | "erasing"
/** Accounts whose address is proved to be that of their owner, or all others. */
emailProved?: "true" | "false"
/** Default: `created`, oldest first. `email` is the order of bytes of the address in lower case, accounts without one first. `-` reverses the order. */
sort?: "created" | "-created" | "email" | "-email"
/** Adds the header `Total-Count`. Counting has a time limit of its own. */
count?: "exact"
}
}
}
data: Schemas['Users']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'cursor_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'format_not_acceptable' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'count_timeout' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List users for a screen */
'GET /api/v1/admin/users': {
input: {
params?: {
query?: {
/** Users on a page. Default: 50. */
limit?: number
/** From the `Link` of another page. Opaque; valid for the same filters and sort only. */
cursor?: string
/** A part of the e-mail address, in any case. Every character stands for itself; only ASCII is accepted. */
q?: string
/** Accounts in this state. Those that are to be erased, `erasing`, are in no other list. */
status?: "active" | "disabled" | "erasing"
/** The id of the role, exactly. */
role?: string
/** Administrators, or all others. An administrator is an enabled user whose role grants `users:change_role` and `users:enable`. */
administrator?: "true" | "false"
/** Members of the organisation with this id. */
orgId?: string
/** Accounts whose address is proved to be that of their owner, or all others. */
emailProved?: "true" | "false"
/** Default: `-created`, newest first. `email` is the order of bytes of the address in lower case, accounts without one first. `-` reverses the order. */
sort?: "created" | "-created" | "email" | "-email"
}
}
}
data: Schemas['ListedUsers']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'cursor_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Read one user */
'GET /api/v1/admin/users/{userId}': {
input: {
params: {
path: {
userId: string
}
}
}
data: Schemas['UserRecord']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'user_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Erase a user */
'DELETE /api/v1/admin/users/{userId}': {
input: {
params: {
path: {
userId: string
}
}
body?: Schemas['UserErasure']
}
data: Schemas['Erasure']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'user_unknown' | 'request_timeout' | 'last_administrator' | 'last_owner' | 'subscription_active' | 'precondition_failed' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Disable a user */
'POST /api/v1/admin/users/{userId}/disable': {
input: {
params: {
path: {
userId: string
}
}
}
data: Schemas['UserRecord']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'user_unknown' | 'last_administrator' | 'precondition_failed' | 'host_unknown' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Enable a user again */
'POST /api/v1/admin/users/{userId}/enable': {
input: {
params: {
path: {
userId: string
}
}
}
data: Schemas['UserRecord']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'user_unknown' | 'last_administrator' | 'precondition_failed' | 'host_unknown' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Change the role of a user */
'PUT /api/v1/admin/users/{userId}/role': {
input: {
params: {
path: {
userId: string
}
}
body: Schemas['RoleChange']
}
data: Schemas['UserRecord']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'self_change' | 'user_unknown' | 'request_timeout' | 'last_administrator' | 'precondition_failed' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** End every session of a user */
'DELETE /api/v1/admin/users/{userId}/sessions': {
input: {
params: {
path: {
userId: string
}
}
}
data: Schemas['EndedSessions']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'user_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List the open sessions of a user */
'GET /api/v1/admin/users/{userId}/sessions': {
input: {
params: {
path: {
userId: string
}
}
}
data: Schemas['UserSessions']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'user_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Give a user a recovery link */
'POST /api/v1/admin/users/{userId}/recovery': {
input: {
params: {
path: {
userId: string
}
}
body: Schemas['Recovery']
}
data: Schemas['RecoveryLink'] | Schemas['LinkMailed']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'self_recovery' | 'user_unknown' | 'request_timeout' | 'password_missing' | 'email_unproved' | 'precondition_failed' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List the second factors of a user */
'GET /api/v1/admin/users/{userId}/factors': {
input: {
params: {
path: {
userId: string
}
}
}
data: Schemas['UserFactors']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'user_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** The data of one user */
'GET /api/v1/admin/users/{userId}/data': {
input: {
params: {
path: {
userId: string
}
query?: {
/** Which of the caller’s organisations is the current one. Default: the first joined. */
orgId?: string
}
}
}
data: Schemas['UserData']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'user_unknown' | 'user_disabled' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Act as a user */
'POST /api/v1/admin/users/{userId}/act-as': {
input: {
params: {
path: {
userId: string
}
}
body: Schemas['NewActAs']
}
data: Schemas['ActAs']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'user_unknown' | 'request_timeout' | 'user_disabled' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Stop acting as a user */
'DELETE /api/v1/admin/users/{userId}/act-as': {
input: {
params: {
path: {
userId: string
}
}
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List organisations */
'GET /api/v1/admin/organizations': {
input: {
params?: {
query?: {
/** Organisations on a page. Default: 50. */
limit?: number
/** From the `Link` of another page. Opaque; valid for the same search and sort only. */
cursor?: string
/** A part of the name, in any case. Every character stands for itself. */
q?: string
/** Default: `name`, in the order of its characters in lower case. `-` reverses the order. */
sort?: "name" | "-name" | "created" | "-created"
}
}
}
data: Schemas['ListedOrganizations']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'cursor_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List roles */
'GET /api/v1/admin/roles': {
input: unknown
data: Schemas['ListedRoles']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List plans */
'GET /api/v1/admin/plans': {
input: unknown
data: Schemas['ListedPlans']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List the subscriptions of a user */
'GET /api/v1/admin/users/{userId}/subscriptions': {
input: {
params: {
path: {
userId: string
}
}
}
data: Schemas['UserSubscriptions']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'user_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Read the state of billing */
'GET /api/v1/admin/billing': {
input: unknown
data: Schemas['BillingStatus']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Confirm the owner of a customer */
'POST /api/v1/admin/billing/customers/{customerId}/confirm': {
input: {
params: {
path: {
customerId: string
}
}
body: Schemas['CustomerOwner']
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'customer_owner_changed' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Link a customer to its owner */
'PUT /api/v1/admin/billing/customers/{customerId}/owner': {
input: {
params: {
path: {
customerId: string
}
}
body: Schemas['CustomerOwner']
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Map a price to a plan */
'PUT /api/v1/admin/billing/prices/{priceId}/plan': {
input: {
params: {
path: {
priceId: string
}
}
body: Schemas['PriceMapping']
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Remove the mapping of a price */
'DELETE /api/v1/admin/billing/prices/{priceId}/plan': {
input: {
params: {
path: {
priceId: string
}
}
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Start a reconciliation */
'POST /api/v1/admin/billing/sync': {
input: unknown
data: Schemas['StartedSync']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'sync_running' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Read the audit trail */
'GET /api/v1/admin/audit': {
input: {
params?: {
query?: {
/** Events on a page. Default: 100. */
limit?: number
/** From the `Link` of the page before. Opaque; valid for the same filters only. */
cursor?: string
/** Events at or after this time, RFC 3339. */
since?: string
/** Events before this time, RFC 3339. */
until?: string
/** One action, such as `account.disabled`, or all with this part before the dot, such as `session`. */
action?: string
/** The account or the service key that acted. */
actorId?: string
/** What was changed, such as the id of an account. */
targetId?: string
}
}
}
data: Schemas['AuditEvents']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'cursor_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Read the state of a node */
'GET /api/v1/admin/system': {
input: unknown
data: Schemas['SystemStatus']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List service keys */
'GET /api/v1/admin/service-keys': {
input: unknown
data: Schemas['ServiceKeys']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Create a service key */
'POST /api/v1/admin/service-keys': {
input: {
body: Schemas['NewServiceKey']
}
data: Schemas['CreatedServiceKey']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'request_timeout' | 'service_key_name_taken' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Replace a service key by a new one */
'POST /api/v1/admin/service-keys/{keyId}/rotate': {
input: {
params: {
path: {
keyId: string
}
}
body: Schemas['RotateServiceKey']
}
data: Schemas['CreatedServiceKey']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'service_key_unknown' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Revoke a service key */
'DELETE /api/v1/admin/service-keys/{keyId}': {
input: {
params: {
path: {
keyId: string
}
}
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'service_key_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List endpoints of webhooks */
'GET /api/v1/admin/webhooks': {
input: unknown
data: Schemas['WebhookEndpoints']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Register an endpoint of webhooks */
'POST /api/v1/admin/webhooks': {
input: {
body: Schemas['NewWebhookEndpoint']
}
data: Schemas['WebhookEndpointWithSecret']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'request_timeout' | 'webhook_endpoints_full' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Change, disable or enable an endpoint of webhooks */
'PATCH /api/v1/admin/webhooks/{webhookId}': {
input: {
params: {
path: {
webhookId: string
}
}
body: Schemas['WebhookEndpointChange']
}
data: Schemas['WebhookEndpoint']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'webhook_endpoint_unknown' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Remove an endpoint of webhooks */
'DELETE /api/v1/admin/webhooks/{webhookId}': {
input: {
params: {
path: {
webhookId: string
}
}
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'webhook_endpoint_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Replace the signing secret of an endpoint */
'POST /api/v1/admin/webhooks/{webhookId}/rotate': {
input: {
params: {
path: {
webhookId: string
}
}
body: Schemas['RotateWebhookSecret']
}
data: Schemas['WebhookEndpointWithSecret']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'webhook_endpoint_unknown' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Send a test event to an endpoint */
'POST /api/v1/admin/webhooks/{webhookId}/test': {
input: {
params: {
path: {
webhookId: string
}
}
}
data: Schemas['AcceptedWebhookDeliveries']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'webhook_endpoint_unknown' | 'webhook_endpoint_disabled' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List deliveries of an endpoint */
'GET /api/v1/admin/webhooks/{webhookId}/deliveries': {
input: {
params: {
path: {
webhookId: string
}
query?: {
state?: "pending" | "delivered" | "failed"
/** Deliveries on a page. Default: 50. */
limit?: number
/** From the `Link` of another page. Opaque; valid for the same endpoint and state only. */
cursor?: string
}
}
}
data: Schemas['WebhookDeliveries']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'cursor_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'webhook_endpoint_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Send one delivery again */
'POST /api/v1/admin/webhooks/{webhookId}/deliveries/{deliveryId}/replay': {
input: {
params: {
path: {
webhookId: string
deliveryId: string
}
}
}
data: Schemas['AcceptedWebhookDeliveries']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'webhook_endpoint_unknown' | 'webhook_delivery_unknown' | 'webhook_endpoint_disabled' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Send again what failed */
'POST /api/v1/admin/webhooks/{webhookId}/replay': {
input: {
params: {
path: {
webhookId: string
}
}
body: Schemas['ReplayFailedWebhooks']
}
data: Schemas['AcceptedWebhookDeliveries']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'webhook_endpoint_unknown' | 'request_timeout' | 'webhook_endpoint_disabled' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** The caller’s organisations */
'GET /api/v1/orgs': {
input: {
params?: {
header?: {
'Act-As'?: string
}
}
}
data: Schemas['OwnOrganizations']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'act_as_ended' | 'permission_missing' | 'permission_exceeds' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Create an organisation */
'POST /api/v1/orgs': {
input: {
body: Schemas['NewOrganization']
}
data: Schemas['OwnOrganization']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Accept an invitation */
'POST /api/v1/orgs/accept-invitation': {
input: {
body: Schemas['InvitationToken']
}
data: Schemas['OwnOrganization']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'invitation_unknown' | 'request_timeout' | 'member_already' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Leave an organisation */
'POST /api/v1/orgs/{orgId}/leave': {
input: {
params: {
path: {
orgId: string
}
}
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'last_owner' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** The members of an organisation */
'GET /api/v1/orgs/{orgId}/members': {
input: {
params: {
path: {
orgId: string
}
query?: {
/** Members in a page; 100 by default. */
limit?: number
/** The last account of the page before. */
after?: string
}
}
}
data: Schemas['Members']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Change the role of a member */
'PUT /api/v1/orgs/{orgId}/members/{userId}/role': {
input: {
params: {
path: {
orgId: string
userId: string
}
}
body: Schemas['MemberRole']
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'self_change' | 'organization_unknown' | 'member_unknown' | 'request_timeout' | 'last_owner' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Remove a member */
'DELETE /api/v1/orgs/{orgId}/members/{userId}': {
input: {
params: {
path: {
orgId: string
userId: string
}
}
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'organization_unknown' | 'member_unknown' | 'last_owner' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Create an invitation */
'POST /api/v1/orgs/{orgId}/invitations': {
input: {
params: {
path: {
orgId: string
}
}
body: Schemas['InvitationRequest']
}
data: Schemas['NewInvitation']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'organization_unknown' | 'request_timeout' | 'invitations_full' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Open invitations */
'GET /api/v1/orgs/{orgId}/invitations': {
input: {
params: {
path: {
orgId: string
}
}
}
data: Schemas['Invitations']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Revoke an invitation */
'DELETE /api/v1/orgs/{orgId}/invitations/{invitationId}': {
input: {
params: {
path: {
orgId: string
invitationId: string
}
}
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'organization_unknown' | 'invitation_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Whether an organisation requires a second factor */
'GET /api/v1/orgs/{orgId}/security': {
input: {
params: {
path: {
orgId: string
}
}
}
data: Schemas['OrganizationSecurity']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Require a second factor in an organisation */
'PUT /api/v1/orgs/{orgId}/security': {
input: {
params: {
path: {
orgId: string
}
}
body: Schemas['OrganizationSecurity']
}
data: Schemas['OrganizationSecurity']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Transfer an organisation to another member */
'POST /api/v1/orgs/{orgId}/transfer': {
input: {
params: {
path: {
orgId: string
}
}
body: Schemas['OrganizationTransfer']
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'self_change' | 'organization_unknown' | 'member_unknown' | 'request_timeout' | 'last_owner' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Validate provider API key */
'POST /api/v1/provider/keys/validate': {
input: {
params?: {
query?: {
/** Whether to add the member `details`. */
details?: boolean
/** Whether to call the provider although the answer is known, such as after the key was repaired. Once in five seconds for a key; the caller’s share of failed keys still applies. */
fresh?: boolean
}
}
body: Schemas['KeyCheck']
}
data: Schemas['KeyVerdict']
problem: Problem<'request_malformed' | 'host_invalid' | 'provider_unsupported' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'key_checks_held' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'provider_answer_unexpected' | 'provider_unreachable' | 'overloaded' | 'shutting_down' | 'provider_refused' | 'provider_address_refused' | 'provider_clock_refused' | 'provider_busy' | 'issuer_unavailable' | 'database_unavailable' | 'read_only' | 'provider_timeout'>
}
/** Validate many provider API keys */
'POST /api/v1/provider/keys/validate-batch': {
input: {
params?: {
query?: {
/** Whether to add the member `details`. */
details?: boolean
/** Whether to call the provider although the answer is known, such as after the key was repaired. Once in five seconds for a key; the caller’s share of failed keys still applies. */
fresh?: boolean
}
}
body: Schemas['KeyBatch']
}
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** The providers whose keys can be validated */
'GET /api/v1/providers': {
input: unknown
data: Schemas['Providers']
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** Events of Paddle */
'POST /webhooks/paddle': {
input: {
body: Schemas['PaddleEvent']
}
data: Schemas['WebhookReceipt']
problem: Problem<'request_malformed' | 'host_invalid' | 'webhook_unsigned' | 'webhook_outdated' | 'webhook_unreadable' | 'body_malformed' | 'input_invalid' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'headers_too_large' | 'internal_error' | 'processor_refused' | 'overloaded' | 'shutting_down' | 'processor_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Events of Polar */
'POST /webhooks/polar': {
input: {
body: Schemas['PolarEvent']
}
data: Schemas['WebhookReceipt']
problem: Problem<'request_malformed' | 'host_invalid' | 'webhook_unsigned' | 'webhook_outdated' | 'webhook_unreadable' | 'body_malformed' | 'input_invalid' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'headers_too_large' | 'internal_error' | 'processor_refused' | 'overloaded' | 'shutting_down' | 'processor_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Events of Stripe */
'POST /webhooks/stripe': {
input: {
body: Schemas['StripeEvent']
}
data: Schemas['WebhookReceipt']
problem: Problem<'request_malformed' | 'host_invalid' | 'webhook_unsigned' | 'webhook_outdated' | 'webhook_unreadable' | 'body_malformed' | 'input_invalid' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'headers_too_large' | 'internal_error' | 'processor_refused' | 'overloaded' | 'shutting_down' | 'processor_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Buy a plan */
'POST /api/v1/billing/checkout': {
input: {
body: Schemas['CheckoutOrder']
}
data: Schemas['BillingPage']
problem: Problem<'request_malformed' | 'host_invalid' | 'price_unknown' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'customer_unknown' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'processor_refused' | 'overloaded' | 'shutting_down' | 'processor_unavailable' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Manage subscriptions */
'POST /api/v1/billing/portal': {
input: {
body: Schemas['PortalOrder']
}
data: Schemas['BillingPage']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'organization_unknown' | 'customer_unknown' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'processor_refused' | 'overloaded' | 'shutting_down' | 'processor_unavailable' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Sign up with a password */
'POST /auth/sign-up': {
input: {
body: Schemas['SignUp']
}
data: Schemas['SignedIn'] | Schemas['Taken'] | undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'sign_up_refused' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Sign up with a mailed link */
'POST /auth/sign-up/confirm': {
input: {
body: Schemas['SignUpConfirmation']
}
data: Schemas['SignedIn'] | undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'link_invalid' | 'body_malformed' | 'input_invalid' | 'sign_up_refused' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Sign in with a password */
'POST /auth/sign-in': {
input: {
body: Schemas['SignIn']
}
data: Schemas['SignedIn'] | Schemas['Challenge']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'sign_in_refused' | 'account_erasing' | 'code_refused' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'sign_in_wait' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Complete a sign-in with a second factor */
'POST /auth/sign-in/second-step': {
input: {
body: Schemas['SecondStep']
}
data: Schemas['SignedIn']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'challenge_invalid' | 'code_refused' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'sign_in_wait' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Begin to sign in with a passkey */
'POST /auth/sign-in/passkey/options': {
input: {
body: Schemas['PasskeySignInStart']
}
data: Schemas['PasskeyRequest']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'request_timeout' | 'passkeys_unavailable' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Sign in with a passkey */
'POST /auth/sign-in/passkey': {
input: {
body: Schemas['PasskeySignIn']
}
data: Schemas['SignedIn']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'passkey_refused' | 'account_erasing' | 'request_timeout' | 'passkeys_unavailable' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Exchange a refresh token */
'POST /auth/refresh': {
input: {
body: Schemas['Refresh']
}
data: Schemas['Tokens']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'refresh_refused' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Authenticate again in an open session */
'POST /auth/step-up': {
input: {
body: Schemas['StepUp']
}
data: Schemas['AccessToken']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'password_wrong' | 'code_refused' | 'factor_required' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'sign_in_wait' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Begin to show a passkey in an open session */
'POST /auth/step-up/passkey/options': {
input: {
body: Schemas['PasskeyStepUpStart']
}
data: Schemas['PasskeyRequest']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'factor_missing' | 'passkeys_unavailable' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Sign out */
'POST /auth/sign-out': {
input: unknown
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Sign out everywhere */
'POST /auth/sign-out-everywhere': {
input: unknown
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List the caller’s devices */
'GET /auth/devices': {
input: {
params?: {
header?: {
'Act-As'?: string
}
}
}
data: Schemas['Devices']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'step_up_required' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'act_as_ended' | 'permission_missing' | 'permission_exceeds' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Forget one of the caller’s devices */
'DELETE /auth/devices/{deviceId}': {
input: {
params: {
path: {
deviceId: string
}
}
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'device_unknown' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** List the caller’s open sessions */
'GET /auth/sessions': {
input: {
params?: {
header?: {
'Act-As'?: string
}
}
}
data: Schemas['Sessions']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'step_up_required' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'act_as_ended' | 'permission_missing' | 'permission_exceeds' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** End one of the caller’s sessions */
'DELETE /auth/sessions/{sessionId}': {
input: {
params: {
path: {
sessionId: string
}
}
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'session_unknown' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Change the caller’s password */
'PUT /auth/password': {
input: {
body: Schemas['PasswordChange']
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'password_wrong' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'sign_in_wait' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Change the caller’s address */
'POST /auth/email': {
input: {
body: Schemas['EmailChange']
}
data: Schemas['Taken']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'mail_unconfigured' | 'password_missing' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only' | 'issuer_unavailable'>
}
/** Withdraw a change of the caller’s address */
'DELETE /auth/email': {
input: unknown
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Confirm a change of address */
'POST /auth/email/confirm': {
input: {
body: Schemas['EmailConfirmation']
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'link_invalid' | 'body_malformed' | 'input_invalid' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Undo a change of address */
'POST /auth/email/undo': {
input: {
body: Schemas['EmailUndo']
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'link_invalid' | 'body_malformed' | 'input_invalid' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Read the caller’s account */
'GET /auth/account': {
input: {
params?: {
header?: {
'Act-As'?: string
}
}
}
data: Schemas['OwnAccount']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'step_up_required' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'act_as_ended' | 'permission_missing' | 'permission_exceeds' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Choose the language of one’s mails */
'PATCH /auth/account': {
input: {
body: Schemas['AccountChange']
}
data: Schemas['AccountPreferences']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Fetch everything about the caller’s account */
'GET /auth/account/export': {
input: unknown
data: Schemas['AccountExport']
problem: Problem<'request_malformed' | 'host_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'user_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Erase the caller’s account */
'POST /auth/account/erase': {
input: unknown
data: Schemas['Erasure']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'last_administrator' | 'last_owner' | 'subscription_active' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Keep an account that is to be erased */
'POST /auth/account/keep': {
input: {
body: Schemas['Keep']
}
data: Schemas['SignedIn']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'challenge_invalid' | 'factor_required' | 'code_refused' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'sign_in_wait' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** List the caller’s factors */
'GET /auth/factors': {
input: {
params?: {
header?: {
'Act-As'?: string
}
}
}
data: Schemas['Factors']
problem: Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'step_up_required' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'act_as_ended' | 'permission_missing' | 'permission_exceeds' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Set up a factor */
'POST /auth/factors': {
input: {
body: Schemas['NewFactor']
}
data: Schemas['Enrolment']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'password_wrong' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'factor_name_taken' | 'factor_limit_reached' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'sign_in_wait' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Verify a factor with its first code */
'POST /auth/factors/{factorId}/verify': {
input: {
params: {
path: {
factorId: string
}
}
body: Schemas['FirstCode']
}
data: Schemas['ConfirmedFactor']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'code_refused' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'factor_unknown' | 'request_timeout' | 'factor_verified' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'sign_in_wait' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Rename a factor */
'PATCH /auth/factors/{factorId}': {
input: {
params: {
path: {
factorId: string
}
}
body: Schemas['FactorChange']
}
data: Schemas['Factor']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'factor_unknown' | 'request_timeout' | 'factor_name_taken' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Remove a factor */
'POST /auth/factors/{factorId}/remove': {
input: {
params: {
path: {
factorId: string
}
}
body: Schemas['FactorRemoval']
}
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'password_wrong' | 'code_refused' | 'factor_required' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'factor_unknown' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'sign_in_wait' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Replace the recovery codes */
'POST /auth/recovery-codes': {
input: {
body: Schemas['PasswordAgain']
}
data: Schemas['RecoveryCodes']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'password_wrong' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'factor_missing' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'sign_in_wait' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Begin to add a passkey */
'POST /auth/passkeys/options': {
input: {
body: Schemas['PasskeyStart']
}
data: Schemas['PasskeyCreation']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'password_missing' | 'passkeys_unavailable' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Add a passkey */
'POST /auth/passkeys': {
input: {
body: Schemas['NewPasskey']
}
data: Schemas['ConfirmedFactor']
problem: Problem<'request_malformed' | 'host_invalid' | 'passkey_invalid' | 'body_malformed' | 'input_invalid' | 'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'request_timeout' | 'passkeys_unavailable' | 'factor_name_taken' | 'factor_limit_reached' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>
}
/** Ask for a link by mail */
'POST /auth/recovery': {
input: {
body: Schemas['RecoveryRequest']
}
data: Schemas['Taken']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'request_timeout' | 'mail_unconfigured' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Look at a link */
'POST /auth/links/inspect': {
input: {
body: Schemas['LinkToken']
}
data: Schemas['InspectedLink']
problem: Problem<'request_malformed' | 'host_invalid' | 'link_invalid' | 'body_malformed' | 'input_invalid' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Choose a new password with a link */
'POST /auth/recovery/complete': {
input: {
body: Schemas['RecoveryCompletion']
}
data: Schemas['KnownDevice']
problem: Problem<'request_malformed' | 'host_invalid' | 'link_invalid' | 'body_malformed' | 'input_invalid' | 'factor_required' | 'code_refused' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'sign_in_wait' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** The page that links lead to */
'GET /auth/link': {
input: unknown
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** The script of the page /auth/link */
'GET /auth/link/page.js': {
input: unknown
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** The style of the page /auth/link */
'GET /auth/link/page.css': {
input: unknown
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** Get what other services need to accept this issuer’s tokens */
'GET /.well-known/openid-configuration': {
input: unknown
data: Schemas['Discovery']
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** Get the keys that verify this issuer’s tokens */
'GET /.well-known/jwks.json': {
input: unknown
data: Schemas['KeySet']
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable'>
}
/** Get the origins that share the passkeys */
'GET /.well-known/webauthn': {
input: unknown
data: Schemas['RelatedOrigins']
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** The web console */
'GET /': {
input: unknown
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** A file of the console */
'GET /console/assets/{file}': {
input: {
params: {
path: {
/** As the page names it. */
file: string
}
}
}
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'route_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** The ways to sign in to the console */
'GET /console/sign-in-options': {
input: unknown
data: Schemas['SignInOptions']
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** Keep a session in the cookie of the console */
'PUT /console/session': {
input: {
body: Schemas['ConsoleSession']
}
data: Schemas['AccessToken']
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'refresh_refused' | 'origin_refused' | 'https_required' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Get an access token by the cookie of the console */
'POST /console/session': {
input: unknown
data: Schemas['AccessToken'] | undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'refresh_refused' | 'origin_refused' | 'https_required' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Sign out of the console */
'DELETE /console/session': {
input: unknown
data: undefined
problem: Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid' | 'origin_refused' | 'https_required' | 'request_timeout' | 'body_too_large' | 'content_type_unsupported' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>
}
/** Whether the process is alive */
'GET /livez': {
input: unknown
data: Schemas['Status']
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** Whether the node accepts requests */
'GET /readyz': {
input: unknown
data: Schemas['Readiness']
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down' | 'database_unavailable' | 'schema_unsupported'>
}
/** Metrics of the service */
'GET /metrics': {
input: unknown
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'host_unknown' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** This document */
'GET /openapi.json': {
input: unknown
data: Schemas['OpenapiDocument']
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** What each problem means */
'GET /docs/problems.md': {
input: unknown
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** The contract to read and try */
'GET /docs': {
input: unknown
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** The script of the page /docs */
'GET /docs/reference.js': {
input: unknown
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** The style sheet of the page /docs */
'GET /docs/reference.css': {
input: unknown
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** The documentation of this release */
'GET /docs/guide': {
input: unknown
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'route_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** A page of the documentation */
'GET /docs/guide/{page}': {
input: {
params: {
path: {
/** As the site names it. */
page: string
}
}
}
data: unknown
problem: Problem<'request_malformed' | 'host_invalid' | 'route_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** A file that the documentation loads */
'GET /docs/guide/assets/{file}': {
input: {
params: {
path: {
/** As the site names it. */
file: string
}
}
}
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'route_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** A script that several pages of the documentation load */
'GET /docs/guide/assets/chunks/{file}': {
input: {
params: {
path: {
/** As the site names it. */
file: string
}
}
}
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'route_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
/** A page of a section of the documentation */
'GET /docs/guide/{section}/{page}': {
input: {
params: {
path: {
/** As the site names it. */
section: string
/** As the site names it. */
page: string
}
}
}
data: string
problem: Problem<'request_malformed' | 'host_invalid' | 'route_unknown' | 'host_unknown' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'overloaded' | 'shutting_down'>
}
}

/** Members that only the problem with this code has. */
interface ProblemOfMember {
  missing: 'permission_exceeds'
  scope: 'sign_in_wait'
  ways: 'sign_in_wait'
  needs: 'step_up_required'
}

type AnyProblem = Schemas['Problem']

export type ProblemCode = AnyProblem['code']

/** A union by `code`: to compare it narrows the problem. */
export type Problem<Code extends ProblemCode = ProblemCode> = {
  [C in Code]: Omit<AnyProblem, 'code' | keyof ProblemOfMember> & { code: C } & Pick<
      AnyProblem,
      { [M in keyof ProblemOfMember]: C extends ProblemOfMember[M] ? M : never }[keyof ProblemOfMember]
    >
}[Code]
