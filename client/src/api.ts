// Generated from openapi.json by `npm run generate`.

export interface paths {
    "/api/v1/user/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The calling user’s data
         * @description Subscription, the organisation’s subscription, permissions, organisation, first login and verified factors, as the database has them now. For every caller.
         */
        get: operations["getUserData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Without `limit` and `cursor`, the whole list is streamed from one snapshot of the database; a transfer that fails is aborted and not well-formed. With either, the answer is one page; the header `Link` has the address of the next one, and is missing on the last. `Accept` chooses JSON, CSV or one JSON object per line; `Accept-Encoding: gzip` is served for the whole list. Needs the permission `users:list`. A service key can have it.
         */
        get: operations["fetchUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users for a screen
         * @description One page, newest first unless `sort` says otherwise. The header `Link` has the addresses of the next and of the previous page. Users who are added or removed meanwhile make no other user appear twice or not at all. A page before a position can be empty where those before it were removed. Needs the permission `users:list`. A service key can have it.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one user
         * @description The user with status, organisations and identities, and the waits after wrong passwords and codes that are in force. Needs the permission `users:read`. A service key can have it.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Erase a user
         * @description Needs the header `If-Match`. The user is disabled and out of the lists at once, and erased after `MUSTER_ERASE_AFTER_DAYS`, 14 by default, or with `immediately` before the answer. Until then the user can keep the account, and enabling it keeps it too. Everything that is the user’s own goes, organisations without other members among it; events of the audit trail stay without e-mail and network addresses. Not for the last administrator, for who alone manages an organisation with other members, and while a subscription of the user has not ended. The role of the user grants nothing that that of the caller does not. Needs the permission `users:erase`. Needs a sign-in within 15 minutes.
         */
        delete: operations["eraseUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a user
         * @description Needs the header `If-Match`. Ends their sessions; from now on none of their tokens is accepted. The last administrator cannot be disabled, nor a user whose role grants more than that of the caller. Needs the permission `users:disable`.
         */
        post: operations["disableUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a user again
         * @description Needs the header `If-Match`. Sessions that have ended stay ended. A user who is to be erased is kept by it. The role of the user grants nothing that that of the caller does not. Needs the permission `users:enable`.
         */
        post: operations["enableUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the role of a user
         * @description Needs the header `If-Match`. The role of the caller grants everything that the old and the new role grant. Callers can change their own role only to one that grants less. The last administrator cannot be demoted. Needs the permission `users:change_role`. Needs a sign-in within 15 minutes.
         */
        put: operations["changeUserRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open sessions of a user
         * @description All of them, the most recently used first: those of the built-in issuer, of which an account has at most 100. Other issuers know their own. No token is shown. Needs the permission `users:read`. A service key can have it.
         */
        get: operations["listUserSessions"];
        put?: never;
        post?: never;
        /**
         * End every session of a user
         * @description Ends the sessions of the built-in issuer; other issuers end their own sessions. The role of the user grants nothing that that of the caller does not. Needs the permission `users:end_sessions`.
         */
        delete: operations["endUserSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a user a recovery link
         * @description Needs the header `If-Match`. The link lets its holder choose a new password, once. Where the service sends mail, it is mailed to the user, is valid for 30 minutes, and is shown to no one else (202); the address must be proved. Otherwise it is valid for a day and is shown only in this answer (201): give it to the user, and to no one else. Where the account has a second factor, the link asks for it too, unless `resetFactors` is true; that needs the permission `users:reset_factors` and removes every factor together with the new password. Until the link is used nothing changes. The role of the user grants nothing that that of the caller does not. Callers make no link for themselves. Needs the permission `users:recover`. Needs a sign-in within 15 minutes.
         */
        post: operations["recoverUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the second factors of a user
         * @description Those in effect, of either kind, the oldest first. Nothing that a sign-in could be made with is shown. Other issuers know their own. Needs the permission `users:read`. A service key can have it.
         */
        get: operations["listUserFactors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The data of one user
         * @description What the user would get from `GET /api/v1/user/data` in a session with a second factor, for programs that act for users. `isFirstLogin` is true before the first session and, with the built-in issuer, while it is the newest one. A disabled user would get nothing: 409. Needs the permission `user_data:read`. A service key can have it.
         */
        get: operations["getDataOfUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/act-as": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Act as a user
         * @description For 15 minutes, requests of the caller’s own session with the header `Act-As` read as this user what lets them: user data, organisations and, of the built-in issuer, account, factors, sessions and devices. Nothing can be changed, and nothing counts as a sign-in of the user. Each answer bears `Acted-By`, and the audit trail has the beginning, each use and the end. It ends earlier with `DELETE`, with the session, when another user is chosen, and when either account is disabled, erased or gets another role. The role of the user grants nothing that that of the caller does not. Needs the permission `users:act_as`. Needs a sign-in within 15 minutes.
         */
        post: operations["startActAs"];
        /**
         * Stop acting as a user
         * @description Also where the caller does not act as this user any more: then nothing changes. Needs the permission `users:act_as`.
         */
        delete: operations["endActAs"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organisations
         * @description One page, by name unless `sort` says otherwise. The header `Link` has the addresses of the next and of the previous page. Organisations that are added, removed or renamed meanwhile make no other one appear twice or not at all. The members of one are at `GET /api/v1/admin/users?orgId=…`. Needs the permission `organizations:list`.
         */
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         * @description All roles, by id, and what each grants. Needs the permission `roles:list`.
         */
        get: operations["listRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans
         * @description All plans, by id, the prices that buy each, and what it grants. Needs the permission `plans:list`.
         */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the subscriptions of a user
         * @description Those of the user and of their organisations, as they were last heard of: the user’s own first, the newest first, at most 100. Muster stores no prices in money and no periods: the payment processor has them. Needs the permission `subscriptions:read`.
         */
        get: operations["listUserSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/billing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of billing
         * @description The payment processors and what their last reconciliation found, prices without a plan, and customers that wait for an owner or for its confirmation. Nothing is asked of a processor. Needs the permission `subscriptions:read`.
         */
        get: operations["getBillingStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/billing/customers/{customerId}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the owner of a customer
         * @description The owner that the payer named is the owner: from now on checkout and portal use the customer. The body names that owner as the administrator saw it. Needs the permission `subscriptions:manage`. Needs a sign-in within 15 minutes.
         */
        post: operations["confirmCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/billing/customers/{customerId}/owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Link a customer to its owner
         * @description Gives a customer of the payment processor to an account or an organisation, whatever was claimed before. Only another link changes that. The plan of the new owner follows at once. Needs the permission `subscriptions:manage`. Needs a sign-in within 15 minutes.
         */
        put: operations["linkCustomer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/billing/prices/{priceId}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Map a price to a plan
         * @description In place of any earlier mapping. All subscriptions with the price have the plan at once. Needs the permission `subscriptions:manage`. Needs a sign-in within 15 minutes.
         */
        put: operations["mapPrice"];
        post?: never;
        /**
         * Remove the mapping of a price
         * @description Its subscriptions stay, without the grants of the plan. A price without a mapping stays as it is. Needs the permission `subscriptions:manage`. Needs a sign-in within 15 minutes.
         */
        delete: operations["unmapPrice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/billing/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a reconciliation
         * @description Compares all subscriptions with those of the payment processors, repairs differences, and goes on after the answer. `GET /api/v1/admin/billing` has the report when it is finished. Needs the permission `subscriptions:manage`. Needs a sign-in within 15 minutes.
         */
        post: operations["startSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit trail
         * @description Who changed what, newest first, in pages; the header `Link` has the address of the next one, and is missing on the last. Events that are recorded meanwhile are not on later pages. Needs the permission `audit:read`.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of a node
         * @description What the node that answers knows of itself and of the database, what `muster doctor` would advise of it, and its settings. No secret is in it, and nothing but the database is asked. Other nodes answer for themselves. While the database cannot be reached there is no answer: `/readyz` says why. Needs the permission `system:read`.
         */
        get: operations["getSystemStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/service-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List service keys
         * @description Every key that works, and those that have ended within the last 30 days; the oldest first. Needs the permission `service_keys:manage`. Needs a sign-in within 15 minutes.
         */
        get: operations["listServiceKeys"];
        put?: never;
        /**
         * Create a service key
         * @description A key by which a program calls, with the permissions that it is given and no others. The role of the caller grants all of them. Needs the permission `service_keys:manage`. Needs a sign-in within 15 minutes.
         */
        post: operations["createServiceKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/service-keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a service key by a new one
         * @description The new key has the same name, permissions and lifetime. The old one works until the overlap is over, and never past its own expiry. Needs the permission `service_keys:manage`. Needs a sign-in within 15 minutes.
         */
        post: operations["rotateServiceKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/service-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a service key
         * @description From now on no node accepts it. The role of the caller grants everything that the key may do. Needs the permission `service_keys:manage`. Needs a sign-in within 15 minutes.
         */
        delete: operations["revokeServiceKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints of webhooks
         * @description Every registered endpoint, the oldest first. Needs the permission `webhooks:manage`. Needs a sign-in within 15 minutes.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register an endpoint of webhooks
         * @description From now on events of these types are sent to the address, signed with a secret that is shown once. The role of the caller grants reading what the events tell. Needs the permission `webhooks:manage`. Needs a sign-in within 15 minutes.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an endpoint of webhooks
         * @description Nothing is sent to it any more, and its deliveries are forgotten. Needs the permission `webhooks:manage`. Needs a sign-in within 15 minutes.
         */
        delete: operations["removeWebhook"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable an endpoint of webhooks
         * @description Changes the members that are sent. What waits for an endpoint that is disabled is given up; it can be replayed later. Needs the permission `webhooks:manage`. Needs a sign-in within 15 minutes.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/v1/admin/webhooks/{webhookId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret of an endpoint
         * @description Until the overlap is over, each webhook has a signature of both secrets. Needs the permission `webhooks:manage`. Needs a sign-in within 15 minutes.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to an endpoint
         * @description An event of the type `webhook.test`, within seconds. The deliveries of the endpoint show what came of it. Needs the permission `webhooks:manage`. Needs a sign-in within 15 minutes.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of an endpoint
         * @description One page, newest first. The header `Link` has the addresses of the next and of the previous page. Deliveries that are added meanwhile make no other one appear twice or not at all. Needs the permission `webhooks:manage`. Needs a sign-in within 15 minutes.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/webhooks/{webhookId}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one delivery again
         * @description Also one that was delivered. It has the same `webhook-id`, and all tries again. Needs the permission `webhooks:manage`. Needs a sign-in within 15 minutes.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/webhooks/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what failed
         * @description Every failed delivery of an event since a time, with the same `webhook-id` as before. Needs the permission `webhooks:manage`. Needs a sign-in within 15 minutes.
         */
        post: operations["replayFailedWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller’s organisations
         * @description All of them, the first joined first. For every caller.
         */
        get: operations["listOwnOrganizations"];
        put?: never;
        /**
         * Create an organisation
         * @description The caller becomes its owner. Needs the permission `organization:create`.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/accept-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Makes the caller a member. A token works once, and only while its creator may manage the organisation and holds what its role grants. For a caller who is a member already, nothing changes and the token can still be used by another user. For every caller.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave an organisation
         * @description The last member who may manage the organisation cannot leave it. For members of the organisation.
         */
        post: operations["leaveOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The members of an organisation
         * @description One page; the header `Link` has the address of the next one, and is missing on the last. Needs the permission `organization:read` by the role in this organisation. A service key can have it.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/members/{userId}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the role of a member
         * @description Only roles made for members can be given. The role of the caller in the organisation grants everything that the old and the new role grant. Callers can change their own role only to one that grants less. The last member who may manage the organisation keeps their role. Needs the permission `organization:manage` by the role in this organisation.
         */
        put: operations["changeMemberRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Takes effect at the member’s next call. The last member who may manage the organisation cannot be removed, nor a member whose role grants more than that of the caller. Needs the permission `organization:manage` by the role in this organisation.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open invitations
         * @description At most 100 are open at a time. Needs the permission `organization:manage` by the role in this organisation.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Create an invitation
         * @description Answers a token, once, for a link that you send yourself: nothing is mailed, and only the hash of the token is stored. The role grants nothing that that of the caller does not. Needs the permission `organization:manage` by the role in this organisation.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description The token of the invitation is refused from then on. The role of the invitation grants nothing that that of the caller does not. Needs the permission `organization:manage` by the role in this organisation.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether an organisation requires a second factor
         * @description Also shown to members whose session has none. For members of the organisation.
         */
        get: operations["readOrganizationSecurity"];
        /**
         * Require a second factor in an organisation
         * @description From the next call on, what a role in the organisation and its plan grant counts only in sessions with a second factor; `permissions` of user data shows nothing else. Members without one keep everything else, so that they can set one up. Needs the permission `organization:manage` by the role in this organisation. Needs a sign-in with a second factor.
         */
        put: operations["changeOrganizationSecurity"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer an organisation to another member
         * @description Gives the member the role of the caller, and the caller the role `member`: both or neither. Only the new owner can turn it back. Needs the permission `organization:manage` by the role in this organisation.
         */
        post: operations["transferOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/keys/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate provider API key
         * @description Asks the provider whether it accepts the credential. An answer that proves nothing about the credential, such as a refusal without a known reason, is a 502, 503 or 504 problem, never `isValid: false`. A verdict is cached for a minute (valid) or ten seconds (invalid); `details.cached` says so. Needs the permission `provider_keys:validate`. A service key can have it.
         */
        post: operations["validateProviderKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/keys/validate-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate many provider API keys
         * @description Up to 1000 checks as those of `POST /api/v1/provider/keys/validate`: each counts for the same limits and is in the audit trail. The answer is a line for each key, in the order of the request, sent as soon as its turn comes. Needs the permission `provider_keys:validate`. A service key can have it.
         */
        post: operations["validateProviderKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The providers whose keys can be validated
         * @description For drawing a form: which key types each provider has, and which of them need an e-mail address. Public: no token is needed.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/paddle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Events of Paddle
         * @description For Paddle only: the header `Paddle-Signature` must hold for the bytes of the body. A 2xx means that the event is committed. After any other answer Paddle sends the event again. Public: no token is needed.
         */
        post: operations["receivePaddleEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/polar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Events of Polar
         * @description For Polar only: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` must hold for the bytes of the body (Standard Webhooks). A 2xx means that the event is committed. After any other answer Polar sends the event again. Public: no token is needed.
         */
        post: operations["receivePolarEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Events of Stripe
         * @description For Stripe only: the header `Stripe-Signature` must hold for the bytes of the body. A 2xx means that the event is committed. After any other answer Stripe sends the event again. Public: no token is needed.
         */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy a plan
         * @description Opens a page of the payment processor where the caller, or an organisation, buys a plan. The plan shows as soon as the processor’s webhook event has arrived. For every caller.
         */
        post: operations["openCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Manage subscriptions
         * @description Opens a page of the payment processor where the caller, or an organisation, changes or ends a subscription and finds its invoices. For every caller.
         */
        post: operations["openPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up with a password
         * @description Creates an account and opens its first session, where `MUSTER_SIGN_UP` is `open`, or is `invitation` and the request has an invitation to this address. Closed by default. Where the service sends mail and sign-up is open, a request without an invitation has no password: a link is mailed to the address, with which `POST /auth/sign-up/confirm` makes the account. The answer is then 202, the same for every address and before anyone looks for an account; of a taken address its owner gets a mail that says so. An address gets three such mails in an hour and ten in a day, and ten requests of one network in an hour are followed; beyond that nothing is sent, and the answer is the same. Public: no token is needed.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-up/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up with a mailed link
         * @description Uses the link up, makes the account with the password, and opens its first session. The link proves the address: an account that has it without a proof loses it. Until the link is used there is no account. It is valid for two hours, once. Public: no token is needed.
         */
        post: operations["confirmSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a password
         * @description Opens a session, or asks for the second step where the account has a verified factor. The answer is the same for an unknown address, a wrong password and a disabled account. An address has ten attempts of unknown devices, and a further one every 15 minutes; beyond them the answer is 429 with `Retry-After`, for addresses without an account too. A known device has attempts of its own. Of an account that is to be erased the right password is answered with 403 `account_erasing`, and a challenge that keeps it. With a second proof in the same request, `code` with `factorId` or `recoveryCode`, the owner passes the wait. Public: no token is needed.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/second-step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in with a second factor
         * @description Needs the challenge of the first step and a code of one of its factors, a recovery code, or the answer of a passkey to the options that came with the challenge. A code works once. A challenge is valid for five minutes and five codes. An account has five wrong codes, and a further one every 15 minutes; after a hundred, codes are refused until a recovery code or a passkey is used. Public: no token is needed.
         */
        post: operations["completeSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with a passkey
         * @description The same for everyone: the authenticator finds the passkeys of this service that it holds. The challenge is good for five minutes and one sign-in. Public: no token is needed.
         */
        post: operations["passkeySignInOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description Opens a session of two factors: the passkey, and what its authenticator asked of the user. The answer is the same for an unknown passkey, a wrong signature and a disabled account. Of an account that is to be erased the right passkey is answered with 403 `account_erasing`, and a challenge that keeps it. Public: no token is needed.
         */
        post: operations["passkeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token
         * @description A refresh token works once, and the answer contains the next one. A client that lost the answer sends the same token again: within 60 seconds (`MUSTER_REFRESH_GRACE_SECONDS`), and until the next token is used, it gets the same next token. Any other use of a used token ends its session, because two clients hold it. A session that is not refreshed for 14 days (`MUSTER_SESSION_IDLE_SECONDS`) ends. Public: no token is needed.
         */
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authenticate again in an open session
         * @description After the answer `step_up_required`. Takes the password; or, of an account with a second factor, a code with its factor, a recovery code or a passkey. The session is then as good as a new one, at the next call with any of its tokens; the answer has an access token with the new `auth_time` and `acr`. The refresh token stays as it is. For every caller.
         */
        post: operations["stepUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/step-up/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to show a passkey in an open session
         * @description For `credential` in a step-up or in the removal of a factor, within five minutes and in the same session. For every caller.
         */
        post: operations["passkeyStepUpOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the current session. Its tokens are refused from the next call on. For every caller.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out-everywhere": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out everywhere
         * @description Ends every session of the account, the current one included, and forgets its devices. For every caller.
         */
        post: operations["signOutEverywhere"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller’s devices
         * @description The devices that the account knows, the most recently used first: at most 20, each for 180 days after its last use. A known device is not held up by the wrong passwords of others. For every caller.
         */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/devices/{deviceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget one of the caller’s devices
         * @description Its token counts for nothing from the next sign-in on. Its sessions stay open. For every caller.
         */
        delete: operations["removeDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller’s open sessions
         * @description All of them, the most recently used first. An account has at most 100; a further one ends the least recently used. For every caller.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of the caller’s sessions
         * @description Its tokens are refused from the next call on. For every caller.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the caller’s password
         * @description Needs the current password. Every other session of the account ends. For every caller. Of an account with a second factor, needs a sign-in with a second factor within 10 minutes.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the caller’s address
         * @description Mails a link to the new address. Of an account without a second factor the present address, if it is proved, gets a link, too: both have to be used, in either order, within two hours. Until then nothing changes. Another request takes the place of the one before. Of a taken address its owner gets a mail that says so, and the answer is the same. With the address that the account has, and nothing proves, the link proves it. An account gets three such links in an hour and ten in a day, and so does an address; beyond that nothing is sent, and the answer is the same. For every caller. Needs a sign-in with a second factor, where the account has one, within 10 minutes.
         */
        post: operations["requestEmailChange"];
        /**
         * Withdraw a change of the caller’s address
         * @description The links of `POST /auth/email` that are not used yet work no more; the account keeps its address. The same answer where there is none. For every caller.
         */
        delete: operations["withdrawEmailChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a change of address
         * @description Uses a link of `POST /auth/email` up. Where another one has to be used, too, nothing changes before it is. Then the account has the new address, with a proof of it, and all other links end; sessions stay open. The address before gets a mail with a link that puts it back, for seven days. Where the address before was not proved, it gets none, and what the account has had until then ends: sessions, devices, second factors and accounts at other issuers. Public: no token is needed.
         */
        post: operations["confirmEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a change of address
         * @description Uses the link up that the address before has got. The account has it again. Every session ends, every device and link, and every second factor that was added since; the password is not accepted any more. Only a recovery, which the address can ask for, opens the account again. Public: no token is needed.
         */
        post: operations["undoEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the caller’s account
         * @description The address of the account, whether its owner has proved it, and the language of the mails. For every caller.
         */
        get: operations["readOwnAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose the language of one’s mails
         * @description Every later mail to the owner of the account is in this language. For every caller.
         */
        patch: operations["changeOwnAccount"];
        trace?: never;
    };
    "/auth/account/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch everything about the caller’s account
         * @description A file in JSON with the account, its identities, memberships, subscriptions, sessions, devices, the names of its factors, and what it did by the audit trail. No secret is in it. A transfer that fails is aborted and not well-formed. For every caller. Needs a sign-in with a second factor, where the account has one, within 10 minutes.
         */
        get: operations["exportOwnAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/account/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase the caller’s account
         * @description The account is erased after `MUSTER_ERASE_AFTER_DAYS`, 14 by default. At once every session ends, and devices and links; the account is disabled and out of the lists. A sign-in until then answers `account_erasing` with a challenge, with which `POST /auth/account/keep` keeps the account. Not for the last administrator, for who alone manages an organisation with other members, and while a subscription of the account has not ended. For every caller. Needs a sign-in with a second factor, where the account has one, within 10 minutes.
         */
        post: operations["eraseOwnAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/account/keep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep an account that is to be erased
         * @description Takes the challenge of the answer `account_erasing`; of an account with a second factor also a code with its factor, or a recovery code. The account is as before, and the answer is that of a sign-in. Nothing keeps an account whose time has come. Public: no token is needed.
         */
        post: operations["keepOwnAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller’s factors
         * @description The verified factors of either kind, the oldest first. For every caller.
         */
        get: operations["listFactors"];
        put?: never;
        /**
         * Set up a factor
         * @description Returns the secret for an authenticator app. The factor takes effect with its first code. An account has at most 10 factors, passkeys included, each with a different name. For every caller. Of an account with a second factor, needs a sign-in with a second factor within 10 minutes.
         */
        post: operations["enrolFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/factors/{factorId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a factor with its first code
         * @description From then on sign-in needs a second step. The first factor comes with ten recovery codes. The code counts for the session; the other sessions of the account end. For every caller. Of an account with a second factor, needs a sign-in with a second factor within 10 minutes.
         */
        post: operations["verifyFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/factors/{factorId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a factor
         * @description Sign-in shows the name after the right password. For every caller.
         */
        patch: operations["renameFactor"];
        trace?: never;
    };
    "/auth/factors/{factorId}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a factor
         * @description Needs the password together with a code, of this factor unless `factorId` names another, with a recovery code or with a passkey; or a session that was proved with a second factor within 10 minutes. The other sessions of the account end. Removing the last factor deletes the recovery codes. The body of a DELETE has no meaning (RFC 9110 §9.3.5). For every caller.
         */
        post: operations["removeFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes
         * @description Makes ten new codes and deletes the old ones. Needs the current password and a verified factor. For every caller. Of an account with a second factor, needs a sign-in with a second factor within 10 minutes.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a passkey
         * @description Returns what a browser needs to make a passkey. The challenge in it is good for five minutes, for one passkey of this session. For every caller. Needs a sign-in with a second factor, where the account has one, within 10 minutes.
         */
        post: operations["passkeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a passkey
         * @description Takes what the browser made of the options. The passkey is a second factor from then on, and signs in without a password. The first factor comes with ten recovery codes. It counts for the session; the other sessions of the account end. Rename and remove it as any factor. For every caller. Needs a sign-in with a second factor, where the account has one, within 10 minutes.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a link by mail
         * @description For users who have forgotten the password. Where the address has an account with a password, a link is mailed to it that is valid for 30 minutes, once. The answer is the same for every address and does not wait for the mail. An account gets three such mails in an hour and ten in a day, and ten requests of one network in an hour are followed; beyond that nothing is sent, and the answer is the same. Until the link is used nothing changes. Public: no token is needed.
         */
        post: operations["requestRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/links/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a link
         * @description What the link is good for, and for whom. The link stays as it is. Public: no token is needed.
         */
        post: operations["inspectLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/recovery/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password with a link
         * @description Uses the link up. Ends every session of the account, forgets its devices, and ends its other links. Where the account has a second factor, a new password needs a code of it, a recovery code or a passkey: a wrong one counts as at sign-in, and the fifth ends the link. A link that an operator made for lost factors removes them instead. Opens no session: sign in with the new password. Without `newPassword` the link only makes this device known, so that a sign-in with the password and the `device_token` is not held up. Public: no token is needed.
         */
        post: operations["completeRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The page that links lead to
         * @description Reads the token behind `#`, which no server receives, and sends it when the user presses a button. Opening the page uses nothing up, so programs that open the links of mails do no harm. `MUSTER_LINK_URL` names a page of your own instead. Public: no token is needed.
         */
        get: operations["getLinkPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/link/page.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The script of the page /auth/link
         * @description A script without dependencies. Public: no token is needed.
         */
        get: operations["getLinkScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/link/page.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The style of the page /auth/link
         * @description For light and dark. Public: no token is needed.
         */
        get: operations["getLinkStyle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what other services need to accept this issuer’s tokens
         * @description The members of OpenID Connect Discovery §3 that apply. There are no OAuth clients, so there is no authorization endpoint and no token endpoint. Public: no token is needed.
         */
        get: operations["getDiscovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the keys that verify this issuer’s tokens
         * @description A JSON Web Key Set (RFC 7517 §5). A new key is published ten minutes before it signs. Public: no token is needed.
         */
        get: operations["getKeySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/webauthn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the origins that share the passkeys
         * @description Related origins of WebAuthn Level 3 §5.11. Only where `MUSTER_WEBAUTHN_ORIGINS` has origins of other domains. Public: no token is needed.
         */
        get: operations["getRelatedOrigins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The web console
         * @description The one page of the console. Exists unless `MUSTER_CONSOLE` is `false`. It loads resources of this service only, and calls the issuers that it offers for the sign-in. They send their users back here, with what they answer as the query: the service reads nothing of it, and the page takes it out of the address. Public: no token is needed.
         */
        get: operations["getConsolePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/assets/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of the console
         * @description A script, a style or an image of the page. The name changes with the content, so that it can be stored for ever. Public: no token is needed.
         */
        get: operations["getConsoleFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/sign-in-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ways to sign in to the console
         * @description The built-in issuer, and the issuers of `MUSTER_ISSUERS` whose entry has a member `console`. It says nothing about whether they can be reached. Public: no token is needed.
         */
        get: operations["getSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Keep a session in the cookie of the console
         * @description Exchanges the refresh token of a sign-in, puts the next one into a cookie that no script can read, and answers an access token. For pages of this service only, over https or on the own machine. Public: no token is needed.
         */
        put: operations["openConsoleSession"];
        /**
         * Get an access token by the cookie of the console
         * @description Exchanges the refresh token in the cookie and sets the cookie anew. Without a cookie no one is signed in: 204. A cookie whose token is refused is removed. For pages of this service only, over https or on the own machine. Public: no token is needed.
         */
        post: operations["renewConsoleSession"];
        /**
         * Sign out of the console
         * @description Ends the session of the cookie and removes the cookie; the same answer without one. For pages of this service only, over https or on the own machine. Public: no token is needed.
         */
        delete: operations["endConsoleSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process is alive
         * @description Has no dependencies. Restart a process that does not answer. Public: no token is needed.
         */
        get: operations["isAlive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the node accepts requests
         * @description 503 while the node drains, while the database cannot be reached or refuses connections, and once a newer release has changed the database so that this one cannot work with it. Before the node is ready its port is closed. Public: no token is needed.
         */
        get: operations["isReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics of the service
         * @description For Prometheus, in its text format, or in that of OpenMetrics with exemplars where `MUSTER_OTLP_URL` is set. Exists where `MUSTER_METRICS_TOKEN` is set, and requires that token. For the holder of the metrics token.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description The contract of the service as OpenAPI 3.1. Public: no token is needed.
         */
        get: operations["getOpenapiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/problems.md": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What each problem means
         * @description The page to which the member `type` of a problem links. Public: no token is needed.
         */
        get: operations["getProblemsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The contract to read and try
         * @description A page that shows this document. It loads resources of this service only. Public: no token is needed.
         */
        get: operations["getDocsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/reference.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The script of the page /docs
         * @description Scalar’s API reference (MIT), unchanged from its package. Public: no token is needed.
         */
        get: operations["getDocsScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The documentation of this release
         * @description The first page of the documentation. Its pages load resources of this service only. Public: no token is needed.
         */
        get: operations["getGuideStart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guide/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A page of the documentation
         * @description Such as `/docs/guide/signing-in`. Public: no token is needed.
         */
        get: operations["getGuidePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guide/assets/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file that the documentation loads
         * @description A script or a style. The name changes with the content, so that it can be stored for ever. Public: no token is needed.
         */
        get: operations["getGuideAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guide/assets/chunks/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A script that several pages of the documentation load
         * @description The name changes with the content, so that it can be stored for ever. One is the index of the search. Public: no token is needed.
         */
        get: operations["getGuideChunk"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guide/{section}/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A page of a section of the documentation
         * @description Such as `/docs/guide/decisions/mail`; and below `files/`, what a page tells its reader to copy. Public: no token is needed.
         */
        get: operations["getGuideSectionPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "user.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account was created: by sign-up, a token of another issuer, an operator or an import. */
        post: operations["webhook.user.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Its address, the proof of it or its role changed, or a disabled account is to be erased. */
        post: operations["webhook.user.updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account was disabled, also because it is to be erased: `status` says which. */
        post: operations["webhook.user.disabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A disabled account was enabled again, or kept. */
        post: operations["webhook.user.enabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account was erased. Earlier events about it that were not delivered yet are removed. */
        post: operations["webhook.user.deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A subscription began, or its status, its price or its owner changed. */
        post: operations["webhook.subscription.changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An organisation was created. */
        post: operations["webhook.organization.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Its name changed, or whether it requires a second factor. */
        post: operations["webhook.organization.updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An organisation was removed, and with it its members. Earlier events about it that were not delivered yet are removed. */
        post: operations["webhook.organization.deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.member_added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account became a member. */
        post: operations["webhook.organization.member_added"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.member_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The role of a member changed. */
        post: operations["webhook.organization.member_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.member_removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A member left, was removed or was erased. */
        post: operations["webhook.organization.member_removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An administrator tries the endpoint. */
        post: operations["webhook.webhook.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        UserData: {
            subscription?: {
                plan_id?: string;
                plan_name?: string;
                /** @description The payment processor’s own word, such as `active`. */
                status?: string;
                /** @description Customer id at the payment processor. */
                billing_customer_id?: string;
            };
            orgSubscription?: {
                plan_id?: string;
                plan_name?: string;
                /** @description The payment processor’s own word, such as `active`. */
                status?: string;
                /** @description Customer id at the payment processor. */
                billing_customer_id?: string;
                org_id?: string;
            };
            /** @description From resource to the actions that the caller may do. */
            permissions: {
                [key: string]: string[];
            };
            /** @description The caller’s current organisation. */
            orgId?: string;
            /** @description True during the whole first session of the account. */
            isFirstLogin: boolean;
            /** @description Verified factors only. */
            mfaFactors: {
                id: string;
                friendlyName?: string;
            }[];
            /** @description Only with `details=true`: whether permissions are missing until this session shows a second factor, because the role or the organisation requires one. */
            mfaRequired?: boolean;
        };
        User: {
            id: string;
            /** Format: email */
            email?: string;
            role: string;
            orgs: {
                id: string;
                name: string;
            }[];
        };
        Users: {
            users: components["schemas"]["User"][];
        };
        ListedUser: {
            id: string;
            /** Format: email */
            email?: string;
            /** @description Whether it is proved that the address is that of the user. */
            emailProved: boolean;
            /** @enum {unknown} */
            status: "active" | "disabled" | "erasing";
            role: string;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. Of the built-in issuer, from the audit trail. Absent where it is not known: there was none, or it is too long ago. */
            lastSignInAt?: string;
            /** @description The id of the plan that is in force: that of the user’s own subscription, or the default plan without one. Absent where the subscription is not in force. */
            plan?: string;
        };
        ListedUsers: {
            users: components["schemas"]["ListedUser"][];
        };
        UserRecord: {
            id: string;
            /** Format: email */
            email?: string;
            /** @description Whether it is proved that the address is that of the user. Otherwise anyone may have typed it. */
            emailProved: boolean;
            role: string;
            /** @enum {unknown} */
            status: "active" | "disabled" | "erasing";
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. */
            disabledAt?: string;
            /** @description Of status `erasing`: until when the account can be kept. RFC 3339. */
            erasesAt?: string;
            orgs: {
                id: string;
                name: string;
                /** @description In this organisation. */
                role: string;
            }[];
            /** @description The account at the issuers whose tokens are accepted. */
            identities: {
                issuer: string;
                subject: string;
            }[];
            /** @description Of the answer to a read, where wrong passwords or codes have made some wait. It is no part of the state that `ETag` names. */
            signInWaits?: {
                /**
                 * @description Whose attempts to sign in wait.
                 * @enum {unknown}
                 */
                scope: "unknown_devices" | "known_network" | "device" | "session" | "second_step";
                /** @description RFC 3339. Absent where time does not help: codes of authenticator apps are refused. */
                until?: string;
            }[];
        };
        RoleChange: {
            role: string;
        };
        UserErasure: {
            /** @default false */
            immediately: boolean;
        };
        Erasure: {
            /** @description RFC 3339. Until then the owner can keep it. */
            erasesAt: string;
        };
        EndedSessions: {
            ended: number;
        };
        Recovery: {
            /** @default false */
            resetFactors: boolean;
        };
        RecoveryLink: {
            link: string;
            /** @description RFC 3339. */
            expiresAt: string;
        };
        LinkMailed: Record<string, never>;
        UserSession: {
            id: string;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. When it was opened or last refreshed. */
            lastUsedAt: string;
            /** @description RFC 3339. When it ends if it is not refreshed any more. */
            expiresAt: string;
            /** @description How the user authenticated (RFC 8176). `operator`: an operator opened it. */
            amr: string[];
            /** @description The address that it was opened from. */
            address?: string;
            /** @description The user agent of the client that opened it. */
            userAgent?: string;
        };
        UserSessions: {
            sessions: components["schemas"]["UserSession"][];
        };
        UserFactor: {
            /** @description Of the factor in this service. */
            id: string;
            /**
             * @description `totp` is an authenticator app.
             * @enum {unknown}
             */
            kind: "totp" | "passkey";
            /** @description As the user called it. */
            name: string;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. Known of passkeys that have been used. */
            lastUsedAt?: string;
        };
        UserFactors: {
            factors: components["schemas"]["UserFactor"][];
        };
        NewActAs: {
            /** @description Why, such as the number of a ticket. It stands in the audit trail. */
            reason: string;
        };
        ActAs: {
            /** @description For the header `Act-As`. */
            userId: string;
            /** @description RFC 3339. */
            expiresAt: string;
        };
        ListedOrganization: {
            id: string;
            name: string;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description How many accounts are members. */
            members: number;
            /** @description Whether what the organisation grants its members counts only in a session with a second factor. */
            requiresMfa: boolean;
            /** @description The id of the plan of its own subscription. Absent without one, and where it is not in force. */
            plan?: string;
        };
        ListedOrganizations: {
            organizations: components["schemas"]["ListedOrganization"][];
        };
        ListedRole: {
            id: string;
            name: string;
            /** @description Whether managers of an organisation may give it to its members. */
            forMembers: boolean;
            /** @description Whether what it grants counts only in a session with a second factor. */
            requiresMfa: boolean;
            /** @description From resource to the actions that it grants. */
            permissions: {
                [key: string]: string[];
            };
        };
        ListedRoles: {
            roles: components["schemas"]["ListedRole"][];
        };
        ListedPlan: {
            id: string;
            name: string;
            /** @description Whether accounts without a subscription have it. */
            isDefault: boolean;
            /** @description Ids of the prices of the payment processor that buy it. */
            prices: string[];
            /** @description From resource to the actions that it grants. */
            permissions: {
                [key: string]: string[];
            };
        };
        ListedPlans: {
            plans: components["schemas"]["ListedPlan"][];
        };
        UserSubscription: {
            /** @description Of the payment processor, as the ids of its customer and prices. */
            id: string;
            /** @description The processor’s own word. */
            status: string;
            /** @description Whether its plan grants its permissions: of status `active`, `trialing` or `past_due`, and with a plan. */
            isInForce: boolean;
            /** @description The plan that its price is mapped to. Absent where there is none. */
            plan?: {
                id: string;
                name: string;
            };
            priceIds: string[];
            /** @description As the processor calls it, where it is known. */
            productName?: string;
            customerId: string;
            processor: string;
            /** @description False where only the payer has named the owner: the customer is not used for checkout and portal. */
            isConfirmed: boolean;
            /** @description The organisation of the user that has it. Absent where it is the user’s own. */
            organization?: {
                id: string;
                name: string;
            };
            /** @description RFC 3339. When the subscription began. */
            createdAt: string;
            /** @description RFC 3339. By the processor’s clock, what is shown is no older than this. */
            asOf: string;
        };
        UserSubscriptions: {
            subscriptions: components["schemas"]["UserSubscription"][];
            /** @description The plan that the user has without a subscription. Absent where the user has a subscription, or where there is no default plan. */
            defaultPlan?: {
                id: string;
                name: string;
            };
        };
        SyncReport: {
            /** @description Subscriptions of the processor that were compared. */
            checked: number;
            /** @description Subscriptions that differed and were corrected: each is an event that was lost. `changes` says what differed. */
            repaired: {
                count: number;
                first: {
                    id: string;
                    changes: string[];
                }[];
            };
            /** @description Customers that were linked to an owner. */
            linked: {
                count: number;
                first: string[];
            };
            /** @description Stored subscriptions that the processor does not know. They stay as they are. */
            unknown: {
                count: number;
                first: string[];
            };
        };
        ProcessorStatus: {
            id: string;
            title: string;
            /** @description Secrets that are not set: without that of the webhook every event is refused, without the key of the API nothing is reconciled or sold. */
            missingSettings: string[];
            /** @description Whether its subscriptions can be listed, and so compared. */
            reconciles: boolean;
            /** @description RFC 3339. When the last reconciliation was finished, by any node or command. */
            lastSyncAt?: string;
            lastReport?: components["schemas"]["SyncReport"];
            /** @description RFC 3339. When the last reconciliation that was not finished was given up. */
            lastFailureAt?: string;
            /** @description Why: the code of a problem, or `interrupted` by the end of the process. */
            lastFailure?: string;
        };
        UnmappedPrice: {
            id: string;
            productName?: string;
            /** @description How many have it. They grant nothing. */
            subscriptions: number;
        };
        WaitingCustomer: {
            /** @description Of the payment processor. */
            id: string;
            processor: string;
            subscriptions: {
                id: string;
                status: string;
                priceId: string;
            }[];
            /** @description For whom it was claimed. There is no such account or organisation, or it has another customer. */
            claim?: {
                /** @enum {unknown} */
                kind: "account" | "organization" | "any";
                /** @description What the merchant or the payer wrote. */
                value: string;
            };
        };
        UnconfirmedCustomer: {
            /** @description Of the payment processor. */
            id: string;
            processor: string;
            subscriptions: {
                id: string;
                status: string;
                priceId: string;
            }[];
            /** @description Whom the payer has named. */
            owner: {
                /** @enum {unknown} */
                kind: "account" | "organization";
                id: string;
                /** @description The address of the account, or the name of the organisation. */
                name: string;
            };
        };
        BillingStatus: {
            /** @description The payment processors that are configured. */
            processors: components["schemas"]["ProcessorStatus"][];
            /** @description `MUSTER_BILLING_SYNC_HOURS`: hours between two reconciliations, 0 for never. */
            syncHours: number;
            /** @description Whether a node reconciles now. */
            isSyncing: boolean;
            /** @description RFC 3339. When the newest event of a webhook was received. */
            lastEventAt?: string;
            /** @description Prices of subscriptions that are mapped to no plan. */
            unmapped: {
                prices: components["schemas"]["UnmappedPrice"][];
                /** @description Whether there are more than the first 100, which are listed. */
                hasMore: boolean;
            };
            /** @description Customers with a subscription and without an owner. */
            waiting: {
                customers: components["schemas"]["WaitingCustomer"][];
                /** @description Whether there are more than the first 100, which are listed. */
                hasMore: boolean;
            };
            /** @description Customers whose owner only their payer has named: not used for checkout and portal. */
            unconfirmed: {
                customers: components["schemas"]["UnconfirmedCustomer"][];
                /** @description Whether there are more than the first 100, which are listed. */
                hasMore: boolean;
            };
        };
        CustomerOwner: {
            /** Format: uuid */
            accountId?: string;
            /** Format: uuid */
            orgId?: string;
        };
        PriceMapping: {
            planId: string;
        };
        StartedSync: {
            /** @description Which are compared, one after the other. */
            processors: string[];
        };
        AuditEvent: {
            id: string;
            /** @description RFC 3339. */
            at: string;
            /** @description docs/audit.md lists them. */
            action: string;
            /**
             * @description Who acted. Absent where it is not known, such as of a sign-in that was refused.
             * @enum {unknown}
             */
            actorKind?: "account" | "service" | "operator";
            /** @description The account or the service key. */
            actorId?: string;
            /** @description The address that the account has now. */
            actorEmail?: string;
            /** @description Of the service key. */
            actorName?: string;
            /** @description The user of the operating system who ran a command of `muster`. */
            operator?: string;
            /** @description What was changed. */
            target?: {
                kind: string;
                id: string;
            };
            /** @description Of the caller. */
            address?: string;
            requestId?: string;
            /** @description Further members, which depend on the action. */
            details: {
                [key: string]: unknown;
            };
        };
        AuditEvents: {
            events: components["schemas"]["AuditEvent"][];
            /** @description Events before this time are removed, refused sign-ins already after `MUSTER_KEEP_REFUSALS_DAYS`. RFC 3339. Absent where all are kept for ever. */
            keptSince?: string;
        };
        SystemStatus: {
            /** @description RFC 3339. When this was read. */
            at: string;
            node: {
                /** @description Name of the machine or container. */
                host: string;
                /** @description Which of its processes has answered, where there are several. */
                worker?: number;
                /** @description Processes of the node that answer requests. */
                workers: number;
                version: string;
                /** @description Of the sources, where the package was made of a commit. */
                commit?: string;
                /** @description Of Node.js. */
                nodeVersion: string;
                /** @description RFC 3339. When the process started. */
                startedAt: string;
                /** @description It is about to stop, and `/readyz` is 503. */
                isDraining: boolean;
            };
            database: {
                /**
                 * @description `external`: by `DATABASE_URL`.
                 * @enum {unknown}
                 */
                place: "embedded" | "external";
                /** @description Of PostgreSQL. */
                version: string;
                /** @enum {unknown} */
                state: "up" | "read_only" | "full" | "saturated" | "refused" | "unreachable";
                /** @description What led to the state, where it is not `up`: an SQLSTATE, or a code of the system. */
                cause?: string;
                /** @description Failed statements and connections since the start. */
                failures: {
                    code: string;
                    count: number;
                }[];
                /** @description Connections of this process. */
                pools: {
                    name: string;
                    max: number;
                    busy: number;
                    /** @description Requests that wait for a connection. */
                    waiting: number;
                    /** @description Requests that got none, since the start. */
                    refused: number;
                }[];
            };
            /** @description How far the clock of this node is ahead of that of the database. */
            clock: {
                offsetSeconds: number;
                isFar: boolean;
            };
            schema: {
                /** @description Number of the newest migration of the database. */
                version: number;
                /** @description Number of the newest migration of this release. */
                releaseVersion: number;
                pending: string[];
                ahead: string[];
            };
            freshness: {
                /** @description Whether it is proven that changes of the database arrive. Without proof the cache is not used. */
                isProven: boolean;
                proofAgeSeconds: number;
                /** @description `MUSTER_FRESHNESS_SECONDS`. */
                boundSeconds: number;
            };
            /** @description Responses of user data in the memory of this process. */
            cache: {
                entries: number;
                bytes: number;
                bytesMax: number;
            };
            issuers: {
                issuer: string;
                /**
                 * @description `remote`: its keys are fetched. `configured`: they are in the settings.
                 * @enum {unknown}
                 */
                kind: "built_in" | "remote" | "configured";
                /**
                 * @description Of a remote one. `stale`: it cannot be reached, and its last keys still serve. `unavailable`: its tokens cannot be verified.
                 * @enum {unknown}
                 */
                keys?: "fresh" | "stale" | "unavailable";
            }[];
            jobs: {
                /**
                 * @description `upkeep` erases what is due and deletes old rows. `backup`: of the embedded database, by a command that you run.
                 * @enum {unknown}
                 */
                name: "upkeep" | "reconciliation" | "backup";
                /** @description Of a reconciliation: the payment processor. */
                subject?: string;
                /** @description RFC 3339. When it was last finished, by any node. Absent if it never was. */
                lastAt?: string;
                /** @description RFC 3339. When it is due again, where it runs by itself. */
                nextAt?: string;
                /** @description RFC 3339. When it last failed, where that was after it was last finished. */
                lastFailureAt?: string;
                /** @description The code of the problem, or `interrupted`. */
                lastFailure?: string;
            }[];
            mail: {
                isConfigured: boolean;
                waiting: number;
                /** @description Since the oldest mail that waits was written; 0 where none waits. */
                oldestSeconds: number;
                /** @description In the last 24 hours. */
                sent: number;
                retried: {
                    kind: string;
                    fault: string;
                    mails: number;
                }[];
                givenUp: {
                    kind: string;
                    fault: string;
                    mails: number;
                }[];
            };
            /** @description How often each limit of this process was reached since its start. */
            limits: {
                name: string;
                reached: number;
            }[];
            /** @description The worst first. */
            advice: {
                /** @description Stable. */
                code: string;
                /**
                 * @description `fail`: something does not work.
                 * @enum {unknown}
                 */
                level: "warn" | "fail";
                detail: string;
                /** @description What the sentence is about, by name. */
                values: {
                    [key: string]: string;
                };
                /** @description What to run. */
                command?: string;
                /** @description What to set. */
                setting?: string;
            }[];
            /** @description Every setting, in the order of docs/configuration.md. */
            settings: {
                name: string;
                /** @description False where the default holds. */
                isSet: boolean;
                isSecret: boolean;
                /** @description The value, or the default. Never of a secret; empty where nothing is set. */
                value?: string;
            }[];
        };
        ServiceKeyRecord: {
            id: string;
            name: string;
            /** @description How the key begins. */
            hint: string;
            /** @description From resource to the actions that the key may do. */
            permissions: {
                users?: ("list" | "read")[];
                user_data?: "read"[];
                provider_keys?: "validate"[];
                organization?: "read"[];
            };
            /** @description The key reads what lies in this organisation, and nothing else. */
            orgId?: string;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. */
            expiresAt: string;
            /** @description RFC 3339, written every 15 minutes at most. */
            lastUsedAt?: string;
            /**
             * @description `rotated`: another key replaces it, and it works until `expiresAt`.
             * @enum {unknown}
             */
            status: "active" | "rotated" | "expired" | "revoked";
        };
        ServiceKeys: {
            keys: components["schemas"]["ServiceKeyRecord"][];
        };
        NewServiceKey: {
            name: string;
            /** @description From resource to the actions that the key may do. */
            permissions: {
                users?: ("list" | "read")[];
                user_data?: "read"[];
                provider_keys?: "validate"[];
                organization?: "read"[];
            };
            /** @description Default: 90. */
            expiresInDays?: number;
            /**
             * Format: uuid
             * @description Confines the key to this organisation. Without it there is no bound.
             */
            orgId?: string;
        };
        CreatedServiceKey: {
            id: string;
            name: string;
            /** @description How the key begins. */
            hint: string;
            /** @description From resource to the actions that the key may do. */
            permissions: {
                users?: ("list" | "read")[];
                user_data?: "read"[];
                provider_keys?: "validate"[];
                organization?: "read"[];
            };
            /** @description The key reads what lies in this organisation, and nothing else. */
            orgId?: string;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. */
            expiresAt: string;
            /** @description RFC 3339, written every 15 minutes at most. */
            lastUsedAt?: string;
            /**
             * @description `rotated`: another key replaces it, and it works until `expiresAt`.
             * @enum {unknown}
             */
            status: "active" | "rotated" | "expired" | "revoked";
            /** @description The key. It is shown once. */
            key: string;
        };
        RotateServiceKey: {
            /** @description How long the old key still works. Default: 86400. */
            overlapSeconds?: number;
        };
        WebhookEndpoint: {
            id: string;
            url: string;
            description?: string;
            /** @description The types of events that are sent. */
            events: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.deleted" | "subscription.changed" | "organization.created" | "organization.updated" | "organization.deleted" | "organization.member_added" | "organization.member_changed" | "organization.member_removed")[];
            /**
             * @description `failing`: no try has succeeded since `failingSince`. To one that is disabled nothing is sent.
             * @enum {unknown}
             */
            status: "enabled" | "failing" | "disabled";
            /** @description RFC 3339. */
            failingSince?: string;
            /** @description RFC 3339. */
            disabledAt?: string;
            /**
             * @description `administrator`: a person disabled it; `gone`: it answered 410; `failing`: no try succeeded for three days.
             * @enum {unknown}
             */
            disabledBecause?: "administrator" | "gone" | "failing";
            /** @description Until then the secret before signs, too. RFC 3339. */
            previousSecretUntil?: string;
            /** @description RFC 3339. */
            createdAt: string;
        };
        WebhookEndpoints: {
            webhooks: components["schemas"]["WebhookEndpoint"][];
        };
        NewWebhookEndpoint: {
            /** @description Begins with `https://`, without a user name, a password and a fragment, and leads to a public address. */
            url: string;
            description?: string;
            /** @description The types of events that are sent. */
            events: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.deleted" | "subscription.changed" | "organization.created" | "organization.updated" | "organization.deleted" | "organization.member_added" | "organization.member_changed" | "organization.member_removed")[];
        };
        WebhookEndpointWithSecret: {
            id: string;
            url: string;
            description?: string;
            /** @description The types of events that are sent. */
            events: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.deleted" | "subscription.changed" | "organization.created" | "organization.updated" | "organization.deleted" | "organization.member_added" | "organization.member_changed" | "organization.member_removed")[];
            /**
             * @description `failing`: no try has succeeded since `failingSince`. To one that is disabled nothing is sent.
             * @enum {unknown}
             */
            status: "enabled" | "failing" | "disabled";
            /** @description RFC 3339. */
            failingSince?: string;
            /** @description RFC 3339. */
            disabledAt?: string;
            /**
             * @description `administrator`: a person disabled it; `gone`: it answered 410; `failing`: no try succeeded for three days.
             * @enum {unknown}
             */
            disabledBecause?: "administrator" | "gone" | "failing";
            /** @description Until then the secret before signs, too. RFC 3339. */
            previousSecretUntil?: string;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description The signing secret. It is shown once. */
            secret: string;
        };
        WebhookEndpointChange: {
            /** @description Begins with `https://`, without a user name, a password and a fragment, and leads to a public address. */
            url?: string;
            description?: string;
            /** @description The types of events that are sent. */
            events?: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.deleted" | "subscription.changed" | "organization.created" | "organization.updated" | "organization.deleted" | "organization.member_added" | "organization.member_changed" | "organization.member_removed")[];
            /** @description What happens while an endpoint is disabled is not sent to it later. */
            isEnabled?: boolean;
        };
        RotateWebhookSecret: {
            /** @description How long the secret before still signs, too. Default: 86400. */
            overlapSeconds?: number;
        };
        AcceptedWebhookDeliveries: {
            /** @description How many will be sent. */
            deliveries: number;
        };
        WebhookDelivery: {
            id: string;
            /** @description The header `webhook-id` of every try. */
            eventId: string;
            type: string;
            /** @description The id of what changed: of a user, an organisation or a subscription. */
            subject: string;
            /** @enum {unknown} */
            state: "pending" | "delivered" | "failed";
            /** @description Since the event, or the last replay. */
            tries: number;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. */
            triedAt?: string;
            /** @description Of a pending one: not before. RFC 3339. */
            nextAt?: string;
            /** @description Of the last answer. */
            status?: number;
            /** @description Code of the last fault, where there was no answer. */
            fault?: string;
        };
        WebhookDeliveries: {
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        ReplayFailedWebhooks: {
            /** @description RFC 3339, in UTC. */
            since: string;
        };
        OwnOrganization: {
            id: string;
            name: string;
            /** @description The caller’s, in this organisation. */
            role: string;
        };
        OwnOrganizations: {
            orgs: components["schemas"]["OwnOrganization"][];
        };
        NewOrganization: {
            name: string;
        };
        InvitationToken: {
            token: string;
        };
        Member: {
            /** @description Of the account. */
            id: string;
            email?: string;
            /** @description In this organisation. */
            role: string;
            /** @description RFC 3339. */
            joinedAt: string;
        };
        Members: {
            members: components["schemas"]["Member"][];
        };
        MemberRole: {
            role: string;
        };
        InvitationRequest: {
            /** @default member */
            role: string;
            /** @default 168 */
            expiresInHours: number;
        };
        NewInvitation: {
            id: string;
            /** @description The role that the invitation gives. */
            role: string;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. */
            expiresAt: string;
            token: string;
        };
        Invitation: {
            id: string;
            /** @description The role that the invitation gives. */
            role: string;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. */
            expiresAt: string;
        };
        Invitations: {
            invitations: components["schemas"]["Invitation"][];
        };
        OrganizationSecurity: {
            /** @description Whether what the organisation grants its members counts only in a session with a second factor. */
            requiresMfa: boolean;
        };
        OrganizationTransfer: {
            /** Format: uuid */
            userId: string;
        };
        /** @description What the key is for, at least one of the two. The answer is in `details.fitsPurpose`, so it needs `?details=true`. It changes neither the calls to the provider nor `isValid`. */
        KeyPurpose: {
            /** @description The zone that the key is for: a host name, in ASCII. */
            zone?: string;
            /**
             * @description What it has to be able to do.
             * @enum {unknown}
             */
            ability?: "zones:list" | "dns:read" | "dns:edit" | "cdn:read" | "cdn:edit" | "cdn:purge" | "cdn:purge_all";
        };
        KeyCheck: {
            /** @description The credential. It is passed on to the provider and never stored. */
            apiKey: string;
            /** @enum {unknown} */
            keyType: "api_token" | "api_key";
            /**
             * Format: email
             * @description Needed where the provider’s key type says so (Cloudflare: `api_key`).
             */
            email?: string;
            /** @description An id of `GET /api/v1/providers`. Default: cloudflare. */
            provider?: string;
            /** @description The other parts of a credential that has several, by the names in `fields` of `GET /api/v1/providers`. They are passed on to the provider and never stored. */
            parts?: {
                [key: string]: string;
            };
            for?: components["schemas"]["KeyPurpose"];
        };
        KeyCapabilities: {
            /** @description Its scopes, in the words of the provider. */
            scopes?: string[];
            /** @description What a read or its scopes show that it may do. */
            abilities?: ("zones:list" | "dns:read" | "dns:edit" | "cdn:read" | "cdn:edit" | "cdn:purge" | "cdn:purge_all")[];
            /** @description What they show that it may not do. What stands in neither list is not known. */
            lacks?: ("zones:list" | "dns:read" | "dns:edit" | "cdn:read" | "cdn:edit" | "cdn:purge" | "cdn:purge_all")[];
            /**
             * @description The provider also limits it to what its owner may do, and that was not read: it may do less than `abilities`.
             * @constant
             */
            limitedByOwner?: true;
            /** @description How many zones are listed to it. */
            zonesVisible?: number;
            /** @description Their names. All of them where there are as many as `zonesVisible`, otherwise the first. */
            zones?: string[];
            /** @description The services that it is limited to, by the ids of the provider. */
            services?: string[];
            /** @description The addresses that it may be used from (IP or CIDR). */
            addresses?: string[];
        };
        KeyDetails: {
            provider: string;
            /** @description The outcome, stable: see docs/messages.md. */
            code: string;
            /** @description What it turned out to be, such as `user_token`. */
            credential: string;
            /** @description RFC 3339. */
            notBefore?: string;
            /** @description RFC 3339. */
            expiresOn?: string;
            /** @description Limits of a valid credential, or an end that is near. */
            warnings: string[];
            capabilities?: components["schemas"]["KeyCapabilities"];
            /**
             * @description Whether it fits `for` of the body: `yes` and `no` only where that was shown.
             * @enum {unknown}
             */
            fitsPurpose?: "yes" | "no" | "unknown";
            /** @description Why, and what is missing: one sentence for a person. */
            purpose?: string;
            /** @description RFC 3339. */
            checkedAt: string;
            /** @description Whether the verdict comes from the cache. */
            cached: boolean;
        };
        KeyVerdict: {
            /** @description Whether the provider accepts this credential as genuine and in force, of the stated type. */
            isValid: boolean;
            /** @description One sentence for a person, from a fixed catalogue. */
            message: string;
            details?: components["schemas"]["KeyDetails"];
        };
        KeyBatch: {
            keys: (components["schemas"]["KeyCheck"] | {
                [key: string]: unknown;
            })[];
        };
        CredentialField: {
            name: string;
            /** @description Where the value goes in the body of a check: a JSON pointer (RFC 6901). */
            at: string;
            /** @description What the provider calls it. */
            label: string;
            /** @description Whether a form hides what is typed. */
            secret: boolean;
            required: boolean;
            /** @description Whether the value is a file of several lines. */
            multiline: boolean;
            /** @description What it usually looks like: for a warning in a form. The service does not check it. */
            pattern?: string;
            example?: string;
            /** @description The only values. */
            options?: string[];
            /** @description What holds where it is omitted. */
            default?: string;
            /** @description Required where another field, by its name, matches the pattern. */
            requiredWhen?: {
                [key: string]: string;
            };
        };
        Provider: {
            /** @description What `provider` takes in a check. */
            id: string;
            title: string;
            /** @description The provider’s documentation of its API. */
            docs: string;
            /** @description Where its customers make a key. */
            keyPage: string;
            keyTypes: {
                /** @enum {unknown} */
                keyType: "api_token" | "api_key";
                /** @description What the provider calls it. */
                label: string;
                /** @enum {unknown} */
                email: "required" | "unused";
                /** @description The first call of a check, by method and address. */
                asked: string;
                /** @description What the credential consists of, in the order of a form. */
                fields: components["schemas"]["CredentialField"][];
            }[];
            /**
             * @description How well it is known what this provider answers.
             * @enum {unknown}
             */
            certainty: "documented" | "logged" | "client code" | "guess";
            remarks?: string;
        };
        Providers: {
            providers: components["schemas"]["Provider"][];
        };
        PaddleEvent: {
            event_id: string;
            event_type: string;
            occurred_at: string;
            data: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        WebhookReceipt: {
            /** @constant */
            received: true;
            /**
             * @description applied: it changed something. older: a newer event was applied before. repeated: the same event was received before. noted: it was stored and changed nothing. ignored: Muster does not use this type of event.
             * @enum {unknown}
             */
            outcome: "applied" | "older" | "repeated" | "noted" | "ignored";
        };
        PolarEvent: {
            type: string;
            timestamp: string;
            data: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        StripeEvent: {
            id: string;
            type: string;
            created: number;
            data: {
                object: {
                    [key: string]: unknown;
                };
            };
        } & {
            [key: string]: unknown;
        };
        CheckoutOrder: {
            /** @description A price of the payment processor that is mapped to a plan. */
            priceId: string;
            /** @description For example the number of users. Default: 1. */
            quantity?: number;
            /**
             * Format: uuid
             * @description The organisation that pays, instead of the caller; needs `billing: ["manage"]` there.
             */
            orgId?: string;
            /** @description Return address after the purchase. */
            successUrl: string;
            /** @description Return address after a cancelled purchase. */
            cancelUrl?: string;
        };
        BillingPage: {
            /** @description Redirect the person to this address. It is for this person only and expires soon. */
            url: string;
        };
        PortalOrder: {
            /**
             * Format: uuid
             * @description The organisation that pays, instead of the caller; needs `billing: ["manage"]` there.
             */
            orgId?: string;
            /** @description Return address. */
            returnUrl: string;
        };
        SignUp: {
            /** Format: email */
            email: string;
            /** @description At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 where the role of the account requires a second factor, 5 of them different. A common or breached password, or a word of the address, the service or the own organisations, is refused, also with digits and symbols around it. */
            password?: string;
            invitation?: string;
        };
        SignedIn: {
            /** @description RFC 9068. Send it as `Authorization: Bearer …`. */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Seconds. */
            expires_in: number;
            /** @description Works once: the exchange returns the next one. Sent again within a minute, it returns the same. */
            refresh_token: string;
            /** @description Send it with the next sign-in: the device is then known, and not held up by the wrong passwords of others. Works for 180 days after its last use. */
            device_token: string;
            /**
             * @description The password was generated: until `PUT /auth/password` changed it, the session can only do that or sign out.
             * @constant
             */
            password_change_required?: true;
        };
        Taken: Record<string, never>;
        SignUpConfirmation: {
            /** @description Of the link, behind `#token=`. */
            token: string;
            /** @description At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 where the role of the account requires a second factor, 5 of them different. A common or breached password, or a word of the address, the service or the own organisations, is refused, also with digits and symbols around it. */
            password: string;
        };
        SignIn: {
            /** Format: email */
            email: string;
            password: string;
            /** @description From an earlier sign-in. It proves that the device is known, and nothing else; any other is ignored. */
            device_token?: string;
            /**
             * Format: uuid
             * @description Together with `code`.
             */
            factorId?: string;
            code?: string;
            /** @description Instead of both. */
            recoveryCode?: string;
        };
        FactorName: {
            id: string;
            /**
             * @description `totp`: codes of an authenticator app.
             * @enum {unknown}
             */
            type: "totp" | "passkey";
            friendlyName: string;
        };
        PasskeyDescriptor: {
            /** @constant */
            type: "public-key";
            id: string;
            transports: string[];
        };
        /** @description For `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`. */
        PasskeyRequestOptions: {
            rpId: string;
            challenge: string;
            /** @description Milliseconds. */
            timeout: number;
            /** @constant */
            userVerification: "required";
            /** @description The passkeys of the account; absent where no account is known. */
            allowCredentials?: components["schemas"]["PasskeyDescriptor"][];
        };
        /** @description Where one of the factors is a passkey. */
        PasskeyPrompt: {
            options: components["schemas"]["PasskeyRequestOptions"];
        };
        Challenge: {
            /** @constant */
            mfa_required: true;
            /** @description For the second step. It grants no access. */
            challenge: string;
            /** @description Seconds. */
            expires_in: number;
            /** @description One of these completes the sign-in; so does a recovery code. */
            factors: components["schemas"]["FactorName"][];
            passkey?: components["schemas"]["PasskeyPrompt"];
        };
        /** @description What `navigator.credentials.get` answers, by its `toJSON`. */
        PasskeyCredential: {
            /** @description Base64url. */
            id: string;
            /** @description The same. */
            rawId: string;
            /** @constant */
            type: "public-key";
            response: {
                /** @description Challenge and origin, as the browser saw them. */
                clientDataJSON: string;
                /** @description What the authenticator signed. */
                authenticatorData: string;
                /** @description Over both. */
                signature: string;
                /** @description The `user.id` of the options that the passkey was made with. */
                userHandle?: string;
            };
        };
        SecondStep: {
            challenge: string;
            /** @description From an earlier sign-in. It proves that the device is known, and nothing else; any other is ignored. */
            device_token?: string;
            /**
             * Format: uuid
             * @description Together with `code`.
             */
            factorId?: string;
            code?: string;
            /** @description Instead of both. */
            recoveryCode?: string;
            credential?: components["schemas"]["PasskeyCredential"];
        };
        PasskeySignInStart: Record<string, never>;
        PasskeyRequest: {
            options: components["schemas"]["PasskeyRequestOptions"];
        };
        PasskeySignIn: {
            credential: components["schemas"]["PasskeyCredential"];
            /** @description From an earlier sign-in. It proves that the device is known, and nothing else; any other is ignored. */
            device_token?: string;
        };
        Refresh: {
            refresh_token: string;
        };
        Tokens: {
            /** @description RFC 9068. Send it as `Authorization: Bearer …`. */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Seconds. */
            expires_in: number;
            /** @description Works once: the exchange returns the next one. Sent again within a minute, it returns the same. */
            refresh_token: string;
        };
        StepUp: {
            /** @description The current password. */
            password?: string;
            /**
             * Format: uuid
             * @description Together with `code`.
             */
            factorId?: string;
            code?: string;
            /** @description Instead of both. */
            recoveryCode?: string;
            credential?: components["schemas"]["PasskeyCredential"];
        };
        AccessToken: {
            /** @description RFC 9068. Send it as `Authorization: Bearer …`. */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Seconds. */
            expires_in: number;
        };
        PasskeyStepUpStart: Record<string, never>;
        Device: {
            id: string;
            /** @description The user agent of its last sign-in. */
            label?: string;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. The time of the last sign-in with it. */
            lastUsedAt: string;
            /** @description Whether the session of the call was opened with it. */
            isCurrent: boolean;
        };
        Devices: {
            devices: components["schemas"]["Device"][];
        };
        Session: {
            id: string;
            /** @description Whether the call comes from this session. */
            isCurrent: boolean;
            /** @description RFC 3339. */
            createdAt: string;
            /** @description RFC 3339. When it was opened or last refreshed. */
            lastUsedAt: string;
            /** @description RFC 3339. Refreshing does not extend it. */
            expiresAt: string;
            /** @description How the user authenticated (RFC 8176). */
            amr: string[];
            /** @description The address that it was opened from. */
            address?: string;
            /** @description The user agent of the client that opened it. */
            userAgent?: string;
        };
        Sessions: {
            sessions: components["schemas"]["Session"][];
        };
        PasswordChange: {
            currentPassword: string;
            /** @description At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 where the role of the account requires a second factor, 5 of them different. A common or breached password, or a word of the address, the service or the own organisations, is refused, also with digits and symbols around it. */
            newPassword: string;
        };
        EmailChange: {
            /** Format: email */
            newEmail: string;
        };
        EmailConfirmation: {
            /** @description Of the link, behind `#token=`. */
            token: string;
        };
        EmailUndo: {
            /** @description Of the link, behind `#token=`. */
            token: string;
        };
        /** @description A change of address that is not confirmed yet. `DELETE /auth/email` withdraws it. */
        OpenEmailChange: {
            newEmail: string;
            /** @description RFC 3339. Of the links. */
            expiresAt: string;
            /** @description The addresses whose link is still to be used. */
            awaits: ("new" | "present")[];
        };
        OwnAccount: {
            email: string | null;
            /** @description Whether its owner has shown that mail to it arrives. */
            emailProved: boolean;
            /** @description Of the mails to the owner. `null`: that of the service (`MUSTER_MAIL_LANGUAGE`). */
            language: ("en" | "de") | null;
            emailChange?: components["schemas"]["OpenEmailChange"];
        };
        AccountChange: {
            /** @description Of the mails to the owner. `null`: that of the service (`MUSTER_MAIL_LANGUAGE`). */
            language: ("en" | "de") | null;
        };
        AccountPreferences: {
            /** @description Of the mails to the owner. `null`: that of the service (`MUSTER_MAIL_LANGUAGE`). */
            language: ("en" | "de") | null;
        };
        AccountExport: {
            /** @description RFC 3339. */
            exportedAt: string;
            account: {
                id: string;
                email?: string;
                emailProved: boolean;
                role: string;
                language?: string;
                /** @description RFC 3339. */
                createdAt: string;
                /** @description RFC 3339. */
                disabledAt?: string;
                /** @description RFC 3339. */
                erasesAt?: string;
                /** @description The address of the password, normalised. */
                signsInWith?: string;
            };
            identities: {
                issuer: string;
                subject: string;
            }[];
            memberships: {
                orgId: string;
                name: string;
                role: string;
                /** @description RFC 3339. */
                joinedAt: string;
            }[];
            subscriptions: {
                id: string;
                processor: string;
                customer: string;
                price: string;
                product?: string;
                status: string;
                /** @description RFC 3339. */
                createdAt: string;
            }[];
            sessions: {
                id: string;
                /** @description RFC 3339. */
                createdAt: string;
                /** @description RFC 3339. */
                lastUsedAt: string;
                /** @description RFC 3339. */
                expiresAt: string;
                /** @description RFC 3339. */
                endedAt?: string;
                amr: string[];
                address?: string;
                userAgent?: string;
            }[];
            devices: {
                id: string;
                label?: string;
                /** @description RFC 3339. */
                createdAt: string;
                /** @description RFC 3339. */
                lastUsedAt: string;
            }[];
            factors: {
                id: string;
                /**
                 * @description `totp`: codes of an authenticator app.
                 * @enum {unknown}
                 */
                type: "totp" | "passkey";
                friendlyName: string;
                /** @description RFC 3339. */
                createdAt: string;
            }[];
            /** @description What the account did, by the audit trail, the oldest first. */
            events: {
                id: string;
                /** @description RFC 3339. */
                at: string;
                action: string;
                target?: {
                    kind: string;
                    id: string;
                };
                address?: string;
                details: Record<string, never>;
            }[];
        };
        Keep: {
            challenge: string;
            /** @description From an earlier sign-in. It proves that the device is known, and nothing else; any other is ignored. */
            device_token?: string;
            /**
             * Format: uuid
             * @description Together with `code`.
             */
            factorId?: string;
            code?: string;
            /** @description Instead of both. */
            recoveryCode?: string;
            credential?: components["schemas"]["PasskeyCredential"];
        };
        Factor: {
            id: string;
            /**
             * @description `totp`: codes of an authenticator app.
             * @enum {unknown}
             */
            type: "totp" | "passkey";
            friendlyName: string;
            /** @description RFC 3339. */
            createdAt: string;
        };
        Factors: {
            factors: components["schemas"]["Factor"][];
            recoveryCodesLeft: number;
            /** @description Some are of an earlier release and have 79 random bits; new ones have 128. They still work: ask the user to replace them. */
            recoveryCodesOutdated: boolean;
        };
        NewFactor: {
            friendlyName: string;
            /** @description The current password. */
            password: string;
        };
        Enrolment: {
            id: string;
            friendlyName: string;
            /** @description For an authenticator app, in base32. Shown once. */
            secret: string;
            /** @description The same secret as an `otpauth://` URI, for a QR code. */
            uri: string;
        };
        FirstCode: {
            code: string;
            /**
             * @description Whether every other session of the account ends. Those without a second factor always do.
             * @default true
             */
            endOtherSessions: boolean;
        };
        ConfirmedFactor: {
            id: string;
            /**
             * @description `totp`: codes of an authenticator app.
             * @enum {unknown}
             */
            type: "totp" | "passkey";
            friendlyName: string;
            /** @description Each works for one sign-in. Shown once. */
            recoveryCodes?: string[];
        };
        FactorChange: {
            friendlyName: string;
        };
        FactorRemoval: {
            /** @description The current password. */
            password?: string;
            /**
             * Format: uuid
             * @description Of the code, where it is another factor’s.
             */
            factorId?: string;
            code?: string;
            /** @description Instead of both. */
            recoveryCode?: string;
            credential?: components["schemas"]["PasskeyCredential"];
            /**
             * @description Whether every other session of the account ends. Those without a second factor always do.
             * @default true
             */
            endOtherSessions: boolean;
        };
        PasswordAgain: {
            /** @description The current password. */
            password: string;
        };
        RecoveryCodes: {
            /** @description Each works for one sign-in. Shown once. */
            recoveryCodes: string[];
        };
        PasskeyStart: Record<string, never>;
        /** @description For `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`. */
        PasskeyCreationOptions: {
            rp: {
                id: string;
                name: string;
            };
            user: {
                id: string;
                name: string;
                displayName: string;
            };
            challenge: string;
            pubKeyCredParams: {
                /** @constant */
                type: "public-key";
                alg: number;
            }[];
            /** @description Milliseconds. */
            timeout: number;
            excludeCredentials: components["schemas"]["PasskeyDescriptor"][];
            authenticatorSelection: {
                /** @constant */
                residentKey: "required";
                /** @constant */
                requireResidentKey: true;
                /** @constant */
                userVerification: "required";
            };
            /** @constant */
            attestation: "none";
        };
        PasskeyCreation: {
            options: components["schemas"]["PasskeyCreationOptions"];
        };
        /** @description What `navigator.credentials.create` answers, by its `toJSON`. */
        NewPasskeyCredential: {
            /** @description Base64url. */
            id: string;
            /** @description The same. */
            rawId: string;
            /** @constant */
            type: "public-key";
            response: {
                /** @description Challenge and origin, as the browser saw them. */
                clientDataJSON: string;
                /** @description The new public key. */
                attestationObject: string;
                transports?: string[];
            };
        };
        NewPasskey: {
            friendlyName: string;
            credential: components["schemas"]["NewPasskeyCredential"];
            /**
             * @description Whether every other session of the account ends. Those without a second factor always do.
             * @default true
             */
            endOtherSessions: boolean;
        };
        RecoveryRequest: {
            /** Format: email */
            email: string;
        };
        LinkToken: {
            /** @description Of the link, behind `#token=`. */
            token: string;
        };
        InspectedLink: {
            /**
             * @description Which operation takes the token. `recovery`, and `recovery_reset_factors`, which also removes the second factors: `POST /auth/recovery/complete`. `sign_up`: `POST /auth/sign-up/confirm`. `invitation`: `POST /auth/sign-up`, with the address. `email_change`, mailed to the new address, and `email_change_old`, mailed to the present one: `POST /auth/email/confirm`. `email_undo`: `POST /auth/email/undo`.
             * @enum {unknown}
             */
            purpose: "recovery" | "recovery_reset_factors" | "sign_up" | "invitation" | "email_change" | "email_change_old" | "email_undo";
            /** @description The address of the account; of `sign_up`, `invitation` and `email_change` the new one, of `email_undo` the one that is put back. */
            email: string;
            /** @description Of `email_change_old`: the address that the account is to have. */
            newEmail?: string;
            /** @description Of a change of address: whether the link to the other address has to be used, too. */
            awaitsOther?: boolean;
            /** @description Whether a new password needs a second factor or a recovery code too. */
            needsFactor: boolean;
            /** @description One of these, where one is needed. */
            factors: components["schemas"]["FactorName"][];
            passkey?: components["schemas"]["PasskeyPrompt"];
        };
        RecoveryCompletion: {
            /** @description Of the link, behind `#token=`. */
            token: string;
            /** @description At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 where the role of the account requires a second factor, 5 of them different. A common or breached password, or a word of the address, the service or the own organisations, is refused, also with digits and symbols around it. */
            newPassword?: string;
            /**
             * Format: uuid
             * @description Together with `code`.
             */
            factorId?: string;
            code?: string;
            /** @description Instead of both. */
            recoveryCode?: string;
            credential?: components["schemas"]["PasskeyCredential"];
        };
        KnownDevice: {
            /** @description Send it with the next sign-in. */
            device_token: string;
        };
        Discovery: {
            issuer: string;
            jwks_uri: string;
            response_types_supported: string[];
            grant_types_supported: string[];
            subject_types_supported: string[];
            id_token_signing_alg_values_supported: string[];
            claims_supported: string[];
            acr_values_supported: string[];
        };
        KeySet: {
            keys: {
                [key: string]: unknown;
            }[];
        };
        RelatedOrigins: {
            origins: string[];
        };
        SignInIssuer: {
            /** @description Its name, from which the page finds its endpoints (OpenID Connect Discovery). */
            issuer: string;
            /** @description For the button. */
            title: string;
            /** @description The console as a public client of the issuer. */
            clientId: string;
            scopes: string[];
            /** @description Further parameters of the authorization request. `resource` is sent with the token request as well. */
            parameters: {
                [key: string]: string;
            };
            /** @description What its tokens say of a sign-in with a second factor: asked for where an operation needs one. */
            acrValues: string[];
        };
        SignInOptions: {
            /** @description Whether this service signs users in itself. */
            builtIn: boolean;
            issuers: components["schemas"]["SignInIssuer"][];
        };
        ConsoleSession: {
            refresh_token: string;
        };
        Status: {
            /** @constant */
            status: "ok";
        };
        Readiness: {
            /** @constant */
            status: "ok";
            /** @description Present where the database is not up. `read_only`, and `full` (its disk): reads work, changes are refused. `saturated`: it gives no further connection, and the node works with those that it has. */
            database?: "read_only" | "full" | "saturated";
            /** @description Present where a replica is configured and none is read: why. Lists are read on the primary then, and the node stays ready. */
            replica?: "behind" | "unreachable" | "promoted" | "other_database";
            /** @description Issuers whose keys are not fresh, if any. Users of other issuers are not affected. */
            issuers?: {
                issuer: string;
                /** @description `stale`: the issuer cannot be reached, and its last keys still serve. `unavailable`: its tokens cannot be verified. */
                keys: "stale" | "unavailable";
            }[];
        };
        OpenapiDocument: {
            openapi: string;
        };
        Problem: {
            /** @description A link to what this code means. */
            type: string;
            /** @description Fixed per code. */
            title: string;
            status: number;
            /**
             * @description Stable. What clients decide by. A later release may add codes.
             * @enum {unknown}
             */
            code: "body_malformed" | "input_invalid" | "request_malformed" | "host_invalid" | "cursor_invalid" | "provider_unsupported" | "route_unknown" | "method_not_allowed" | "format_not_acceptable" | "request_timeout" | "precondition_failed" | "body_too_large" | "uri_too_long" | "content_type_unsupported" | "expectation_failed" | "origin_refused" | "https_required" | "host_unknown" | "precondition_required" | "headers_too_large" | "method_unknown" | "version_unsupported" | "webhook_unsigned" | "webhook_outdated" | "webhook_unreadable" | "price_unknown" | "customer_owner_changed" | "sync_running" | "customer_unknown" | "token_missing" | "token_malformed" | "token_invalid" | "token_expired" | "session_ended" | "password_change_required" | "account_disabled" | "account_erasing" | "account_removed" | "step_up_required" | "account_unknown" | "caller_not_a_person" | "act_as_read_only" | "act_as_ended" | "permission_missing" | "permission_exceeds" | "self_change" | "organization_unknown" | "user_unknown" | "user_disabled" | "member_unknown" | "member_already" | "last_owner" | "invitation_unknown" | "invitations_full" | "subscription_active" | "last_administrator" | "service_key_unknown" | "service_key_name_taken" | "webhook_endpoint_unknown" | "webhook_delivery_unknown" | "webhook_endpoint_disabled" | "webhook_endpoints_full" | "issuer_unavailable" | "sign_in_refused" | "sign_in_wait" | "sign_up_refused" | "challenge_invalid" | "code_refused" | "passkey_refused" | "passkey_invalid" | "passkeys_unavailable" | "refresh_refused" | "password_wrong" | "factor_required" | "session_foreign" | "session_unknown" | "device_unknown" | "factor_unknown" | "factor_verified" | "factor_name_taken" | "factor_limit_reached" | "factor_missing" | "link_invalid" | "password_missing" | "mail_unconfigured" | "email_unproved" | "self_recovery" | "rotation_running" | "rate_limited" | "database_unavailable" | "schema_unsupported" | "read_only" | "shutting_down" | "count_timeout" | "overloaded" | "provider_answer_unexpected" | "provider_refused" | "provider_address_refused" | "provider_clock_refused" | "provider_unreachable" | "provider_busy" | "provider_timeout" | "processor_refused" | "processor_unavailable" | "internal_error";
            /** @description For a person. */
            detail?: string;
            /** @description The id of this request, as in the log and in the header X-Request-Id. */
            instance: string;
            /** @description Every fault of the input. */
            errors?: ({
                /** @description RFC 6901, into the body. */
                pointer: string;
                detail: string;
            } | {
                parameter: string;
                detail: string;
            })[];
            /** @description Of `permission_exceeds`: from each resource to the actions that the role or service key has and the caller’s own role does not grant. */
            missing?: {
                [key: string]: string[];
            };
            /** @description Of `sign_in_wait`: what has no attempts left, the e-mail address or the network. */
            scope?: "account" | "network";
            /** @description Of `sign_in_wait`: how to sign in before the wait is over. */
            ways?: ("known_device" | "second_factor" | "recovery")[];
            /** @description Of `step_up_required`: what the session must have proved. */
            needs?: {
                /** @description The level: `urn:muster:aal2`. */
                acrValues?: string;
                /** @description The longest time since the user authenticated. */
                maxAgeSeconds?: number;
            };
            /** @description Of `account_erasing`: keeps the account, by `POST /auth/account/keep`, for five minutes. */
            challenge?: string;
            /** @description Of `account_erasing`: one of these is needed to keep the account, or a recovery code. */
            factors?: {
                id: string;
                type: string;
                friendlyName: string;
            }[];
            /** @description Of `account_erasing`: for the browser, where one of the factors is a passkey. */
            passkey?: {
                options: {
                    [key: string]: unknown;
                };
            };
            /** @description Of `account_erasing`: until when it can be kept. RFC 3339. */
            erasesAt?: string;
        };
        WebhookUser: {
            /** @description A UUID. */
            id: string;
            email?: string;
            /** @description Otherwise anyone may have typed the address. */
            emailProved: boolean;
            role: string;
            /** @enum {unknown} */
            status: "active" | "disabled" | "erasing";
            /** @description RFC 3339. */
            createdAt: string;
        };
        WebhookDeleted: {
            /** @description A UUID. */
            id: string;
        };
        WebhookSubscription: {
            /** @description Of the payment processor. */
            id: string;
            /** @description Whose it is, where it is that of a user. */
            userId?: string;
            /** @description Whose it is, where it is that of an organisation. */
            orgId?: string;
            /** @description As the payment processor names it. */
            status: string;
            /** @description The price, where no plan is mapped to it. */
            planId: string;
            /** @description RFC 3339. */
            createdAt: string;
        };
        WebhookOrganization: {
            /** @description A UUID. */
            id: string;
            name: string;
            requiresMfa: boolean;
            /** @description RFC 3339. */
            createdAt: string;
        };
        WebhookMember: {
            /** @description A UUID. */
            orgId: string;
            /** @description A UUID. */
            userId: string;
            /** @description In this organisation. */
            role: string;
        };
        WebhookRemovedMember: {
            /** @description A UUID. */
            orgId: string;
            /** @description A UUID. */
            userId: string;
        };
        WebhookTest: Record<string, never>;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getUserData: {
        parameters: {
            query?: {
                /** @description Which of the caller’s organisations is the current one. Default: the first joined. */
                orgId?: string;
                /** @description Whether to add the member `mfaRequired`. */
                details?: boolean;
            };
            header?: {
                /** @description The id of a user as whom an administrator reads, once `POST /api/v1/admin/users/{userId}/act-as` has started it. The answer is that user’s, is never stored, has no `ETag`, and bears `Acted-By`. */
                "Act-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user’s data */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserData"];
                };
            };
            /** @description Nothing has changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'act_as_ended' | 'permission_missing' | 'permission_exceeds' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    fetchUsers: {
        parameters: {
            query?: {
                /** @description Users on a page. Default, where a cursor is sent: 100. */
                limit?: number;
                /** @description From the `Link` of the page before. Opaque; valid for the same filters and sort only. */
                cursor?: string;
                /** @description A part of the e-mail address, in any case. Every character stands for itself; only ASCII is accepted. */
                email?: string;
                /** @description The id of the role, exactly. */
                role?: string;
                /** @description Members of the organisation with this id. */
                orgId?: string;
                /** @description Accounts in this state. Those that are to be erased, `erasing`, are in no other list. */
                status?: "active" | "disabled" | "erasing";
                /** @description Accounts whose address is proved to be that of their owner, or all others. */
                emailProved?: "true" | "false";
                /** @description Default: `created`, oldest first. `email` is the order of bytes of the address in lower case, accounts without one first. `-` reverses the order. */
                sort?: "created" | "-created" | "email" | "-email";
                /** @description Adds the header `Total-Count`. Counting has a time limit of its own. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Users in the requested order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Users"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'cursor_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown'>;
                };
            };
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'format_not_acceptable'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'count_timeout' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Users on a page. Default: 50. */
                limit?: number;
                /** @description From the `Link` of another page. Opaque; valid for the same filters and sort only. */
                cursor?: string;
                /** @description A part of the e-mail address, in any case. Every character stands for itself; only ASCII is accepted. */
                q?: string;
                /** @description Accounts in this state. Those that are to be erased, `erasing`, are in no other list. */
                status?: "active" | "disabled" | "erasing";
                /** @description The id of the role, exactly. */
                role?: string;
                /** @description Members of the organisation with this id. */
                orgId?: string;
                /** @description Accounts whose address is proved to be that of their owner, or all others. */
                emailProved?: "true" | "false";
                /** @description Default: `-created`, newest first. `email` is the order of bytes of the address in lower case, accounts without one first. `-` reverses the order. */
                sort?: "created" | "-created" | "email" | "-email";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Users in the requested order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedUsers"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'cursor_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user in the current state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecord"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UserErasure"];
            };
        };
        responses: {
            /** @description When the account is erased */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'last_administrator' | 'last_owner' | 'subscription_active'>;
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'precondition_failed'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'precondition_required'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    disableUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user in the current state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecord"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'last_administrator'>;
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'precondition_failed'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'precondition_required'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    enableUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user in the current state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecord"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'last_administrator'>;
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'precondition_failed'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'precondition_required'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    changeUserRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description The user in the current state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecord"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'self_change'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'last_administrator'>;
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'precondition_failed'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'precondition_required'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Open sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessions"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    endUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    recoverUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Recovery"];
            };
        };
        responses: {
            /** @description The link; the service sends no mail */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryLink"];
                };
            };
            /** @description The link is mailed to the user */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkMailed"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'self_recovery'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'password_missing' | 'email_unproved'>;
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'precondition_failed'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'precondition_required'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listUserFactors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factors in effect */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserFactors"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    getDataOfUser: {
        parameters: {
            query?: {
                /** @description Which of the caller’s organisations is the current one. Default: the first joined. */
                orgId?: string;
            };
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user’s data */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserData"];
                };
            };
            /** @description Nothing has changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown' | 'user_unknown'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_disabled'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    startActAs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewActAs"];
            };
        };
        responses: {
            /** @description The caller acts as the user */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActAs"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_disabled'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    endActAs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller does not act as the user */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Organisations on a page. Default: 50. */
                limit?: number;
                /** @description From the `Link` of another page. Opaque; valid for the same search and sort only. */
                cursor?: string;
                /** @description A part of the name, in any case. Every character stands for itself. */
                q?: string;
                /** @description Default: `name`, in the order of its characters in lower case. `-` reverses the order. */
                sort?: "name" | "-name" | "created" | "-created";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Organisations in the requested order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedOrganizations"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'cursor_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The roles */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedRoles"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plans */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedPlans"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listUserSubscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Subscriptions, ended ones too */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSubscriptions"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    getBillingStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of billing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingStatus"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    confirmCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                customerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerOwner"];
            };
        };
        responses: {
            /** @description Confirmed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'customer_owner_changed'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    linkCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                customerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerOwner"];
            };
        };
        responses: {
            /** @description Linked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    mapPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                priceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PriceMapping"];
            };
        };
        responses: {
            /** @description Mapped */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    unmapPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                priceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Not mapped any more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    startSync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedSync"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sync_running'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Events on a page. Default: 100. */
                limit?: number;
                /** @description From the `Link` of the page before. Opaque; valid for the same filters only. */
                cursor?: string;
                /** @description Events at or after this time, RFC 3339. */
                since?: string;
                /** @description Events before this time, RFC 3339. */
                until?: string;
                /** @description One action, such as `account.disabled`, or all with this part before the dot, such as `session`. */
                action?: string;
                /** @description The account or the service key that acted. */
                actorId?: string;
                /** @description What was changed, such as the id of an account. */
                targetId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEvents"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'cursor_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    getSystemStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the node */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemStatus"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listServiceKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Service keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceKeys"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    createServiceKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewServiceKey"];
            };
        };
        responses: {
            /** @description The new key, which is shown once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedServiceKey"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'service_key_name_taken'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    rotateServiceKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateServiceKey"];
            };
        };
        responses: {
            /** @description The new key, which is shown once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedServiceKey"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'service_key_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    revokeServiceKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'service_key_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Endpoints */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoints"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint, with its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoints_full'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    removeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoint_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description The endpoint as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoint_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        responses: {
            /** @description The endpoint, with its new secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoint_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event will be sent */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedWebhookDeliveries"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoint_unknown'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoint_disabled'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                state?: "pending" | "delivered" | "failed";
                /** @description Deliveries on a page. Default: 50. */
                limit?: number;
                /** @description From the `Link` of another page. Opaque; valid for the same endpoint and state only. */
                cursor?: string;
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deliveries, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveries"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'cursor_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoint_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be sent */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedWebhookDeliveries"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoint_unknown' | 'webhook_delivery_unknown'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoint_disabled'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    replayFailedWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayFailedWebhooks"];
            };
        };
        responses: {
            /** @description They will be sent */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedWebhookDeliveries"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoint_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'webhook_endpoint_disabled'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listOwnOrganizations: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a user as whom an administrator reads, once `POST /api/v1/admin/users/{userId}/act-as` has started it. The answer is that user’s, is never stored, has no `ETag`, and bears `Acted-By`. */
                "Act-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organisations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnOrganizations"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'act_as_ended' | 'permission_missing' | 'permission_exceeds' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrganization"];
            };
        };
        responses: {
            /** @description The organisation */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnOrganization"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationToken"];
            };
        };
        responses: {
            /** @description The organisation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnOrganization"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'invitation_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'member_already'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    leaveOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Left */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'last_owner'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Members in a page; 100 by default. */
                limit?: number;
                /** @description The last account of the page before. */
                after?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Members"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberRole"];
            };
        };
        responses: {
            /** @description Changed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'self_change'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown' | 'member_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'last_owner'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown' | 'member_unknown'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'last_owner'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitations"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationRequest"];
            };
        };
        responses: {
            /** @description The invitation and its token */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'invitations_full'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown' | 'invitation_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    readOrganizationSecurity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it requires */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSecurity"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    changeOrganizationSecurity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationSecurity"];
            };
        };
        responses: {
            /** @description What it requires from now on */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSecurity"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    transferOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationTransfer"];
            };
        };
        responses: {
            /** @description Transferred */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid' | 'body_malformed'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'permission_exceeds' | 'self_change'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown' | 'member_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'last_owner'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    validateProviderKey: {
        parameters: {
            query?: {
                /** @description Whether to add the member `details`. */
                details?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyCheck"];
            };
        };
        responses: {
            /** @description API key validation result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyVerdict"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'provider_unsupported' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'provider_answer_unexpected' | 'provider_unreachable'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'provider_refused' | 'provider_address_refused' | 'provider_clock_refused' | 'provider_busy' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'provider_timeout'>;
                };
            };
        };
    };
    validateProviderKeys: {
        parameters: {
            query?: {
                /** @description Whether to add the member `details`. */
                details?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyBatch"];
            };
        };
        responses: {
            /** @description A line for each key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue, by id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Providers"];
                };
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    receivePaddleEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaddleEvent"];
            };
        };
        responses: {
            /** @description Committed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'webhook_unsigned' | 'webhook_outdated' | 'webhook_unreadable' | 'body_malformed' | 'input_invalid'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'processor_refused'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'processor_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    receivePolarEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolarEvent"];
            };
        };
        responses: {
            /** @description Committed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'webhook_unsigned' | 'webhook_outdated' | 'webhook_unreadable' | 'body_malformed' | 'input_invalid'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'processor_refused'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'processor_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StripeEvent"];
            };
        };
        responses: {
            /** @description Committed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'webhook_unsigned' | 'webhook_outdated' | 'webhook_unreadable' | 'body_malformed' | 'input_invalid'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'processor_refused'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'processor_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    openCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutOrder"];
            };
        };
        responses: {
            /** @description The page to redirect to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingPage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'price_unknown' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown' | 'customer_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'processor_refused'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'processor_unavailable' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    openPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortalOrder"];
            };
        };
        responses: {
            /** @description The page to redirect to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingPage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'permission_missing' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'organization_unknown' | 'customer_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'processor_refused'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'processor_unavailable' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description An open session: an access token for 15 minutes, a refresh token, and the token of the device */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description Taken; whether there is such an account is not said */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Taken"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_up_refused'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    confirmSignUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpConfirmation"];
            };
        };
        responses: {
            /** @description An open session: an access token for 15 minutes, a refresh token, and the token of the device */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'link_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_up_refused'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Tokens of a session, or a challenge for the second step */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"] | components["schemas"]["Challenge"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_refused'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'account_erasing' | 'code_refused'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_wait' | 'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    completeSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondStep"];
            };
        };
        responses: {
            /** @description An open session: an access token for 15 minutes, a refresh token, and the token of the device */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'challenge_invalid'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'code_refused'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_wait' | 'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    passkeySignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignInStart"];
            };
        };
        responses: {
            /** @description The options for the browser */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequest"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'passkeys_unavailable'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    passkeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        responses: {
            /** @description An open session: an access token for 15 minutes, a refresh token, and the token of the device */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'passkey_refused'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'account_erasing'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'passkeys_unavailable'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Refresh"];
            };
        };
        responses: {
            /** @description An open session: an access token for 15 minutes, and a refresh token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'refresh_refused'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    stepUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StepUp"];
            };
        };
        responses: {
            /** @description An access token of the same session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'password_wrong' | 'code_refused' | 'factor_required' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_wait' | 'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    passkeyStepUpOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyStepUpStart"];
            };
        };
        responses: {
            /** @description The options for the browser */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequest"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'factor_missing' | 'passkeys_unavailable'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    signOutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions have ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listDevices: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a user as whom an administrator reads, once `POST /api/v1/admin/users/{userId}/act-as` has started it. The answer is that user’s, is never stored, has no `ETag`, and bears `Acted-By`. */
                "Act-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Known devices */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Devices"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'step_up_required'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'act_as_ended' | 'permission_missing' | 'permission_exceeds'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    removeDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The device is forgotten */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'device_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a user as whom an administrator reads, once `POST /api/v1/admin/users/{userId}/act-as` has started it. The answer is that user’s, is never stored, has no `ETag`, and bears `Acted-By`. */
                "Act-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Open sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sessions"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'step_up_required'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'act_as_ended' | 'permission_missing' | 'permission_exceeds'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description The password is changed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'password_wrong' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_wait' | 'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    requestEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailChange"];
            };
        };
        responses: {
            /** @description Taken; whether there is such an account is not said */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Taken"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'mail_unconfigured' | 'password_missing'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only' | 'issuer_unavailable'>;
                };
            };
        };
    };
    withdrawEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No change of address is open */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    confirmEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailConfirmation"];
            };
        };
        responses: {
            /** @description The link is used */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'link_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    undoEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailUndo"];
            };
        };
        responses: {
            /** @description The address is back */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'link_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    readOwnAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a user as whom an administrator reads, once `POST /api/v1/admin/users/{userId}/act-as` has started it. The answer is that user’s, is never stored, has no `ETag`, and bears `Acted-By`. */
                "Act-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'step_up_required'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'act_as_ended' | 'permission_missing' | 'permission_exceeds'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    changeOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChange"];
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountPreferences"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    exportOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountExport"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'user_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    eraseOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description When the account is erased */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'last_administrator' | 'last_owner' | 'subscription_active'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    keepOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Keep"];
            };
        };
        responses: {
            /** @description An open session: an access token for 15 minutes, a refresh token, and the token of the device */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'challenge_invalid'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'factor_required' | 'code_refused'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_wait' | 'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    listFactors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a user as whom an administrator reads, once `POST /api/v1/admin/users/{userId}/act-as` has started it. The answer is that user’s, is never stored, has no `ETag`, and bears `Acted-By`. */
                "Act-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factors, and the number of unused recovery codes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Factors"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed' | 'step_up_required'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only' | 'act_as_ended' | 'permission_missing' | 'permission_exceeds'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    enrolFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFactor"];
            };
        };
        responses: {
            /** @description A factor that waits for its first code */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Enrolment"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'password_wrong' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'factor_name_taken' | 'factor_limit_reached'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_wait' | 'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    verifyFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                factorId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FirstCode"];
            };
        };
        responses: {
            /** @description The factor is in effect */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmedFactor"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'code_refused' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'factor_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'factor_verified'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_wait' | 'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    renameFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                factorId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorChange"];
            };
        };
        responses: {
            /** @description The factor as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Factor"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'factor_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'factor_name_taken'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    removeFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                factorId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorRemoval"];
            };
        };
        responses: {
            /** @description The factor is removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'password_wrong' | 'code_refused' | 'factor_required' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'factor_unknown'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_wait' | 'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordAgain"];
            };
        };
        responses: {
            /** @description The new codes, shown once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'password_wrong' | 'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'factor_missing'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_wait' | 'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    passkeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyStart"];
            };
        };
        responses: {
            /** @description The options for the browser */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreation"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'password_missing' | 'passkeys_unavailable'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasskey"];
            };
        };
        responses: {
            /** @description The passkey is in effect */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmedFactor"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'passkey_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'step_up_required' | 'token_missing' | 'token_malformed' | 'token_invalid' | 'token_expired' | 'session_ended' | 'account_disabled' | 'account_removed'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'session_foreign' | 'password_change_required' | 'account_unknown' | 'caller_not_a_person' | 'act_as_read_only'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'passkeys_unavailable' | 'factor_name_taken' | 'factor_limit_reached'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'issuer_unavailable' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    requestRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoveryRequest"];
            };
        };
        responses: {
            /** @description Taken; whether there is such an account is not said */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Taken"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'mail_unconfigured'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    inspectLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkToken"];
            };
        };
        responses: {
            /** @description The link is good */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectedLink"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'link_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    completeRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoveryCompletion"];
            };
        };
        responses: {
            /** @description The password is changed, or the device known */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnownDevice"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'link_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'factor_required' | 'code_refused'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'sign_in_wait' | 'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    getLinkPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getLinkScript: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JavaScript */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getLinkStyle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSS */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getDiscovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discovery"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getKeySet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeySet"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable'>;
                };
            };
        };
    };
    getRelatedOrigins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The origins */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelatedOrigins"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getConsolePage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getConsoleFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the page names it. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                    "text/css": string;
                    "image/svg+xml": string;
                    "image/png": string;
                    "font/woff2": string;
                    "application/octet-stream": string;
                };
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'route_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getSignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    openConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSession"];
            };
        };
        responses: {
            /** @description An access token for 15 minutes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'refresh_refused'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'origin_refused' | 'https_required'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    renewConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An access token for 15 minutes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            /** @description The request has no cookie of a session */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'refresh_refused'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'origin_refused' | 'https_required'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    endConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid' | 'body_malformed' | 'input_invalid'>;
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'origin_refused' | 'https_required'>;
                };
            };
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_timeout'>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'body_too_large'>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'content_type_unsupported'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'read_only'>;
                };
            };
        };
    };
    isAlive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    isReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The node accepts requests */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down' | 'database_unavailable' | 'schema_unsupported'>;
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus’ text format, version 0.0.4, or OpenMetrics, version 1.0.0 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/openmetrics-text": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'token_missing' | 'token_malformed' | 'token_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getOpenapiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenapiDocument"];
                };
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getProblemsPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Markdown */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
            /** @description To a browser: the same page of the guide. A browser keeps the part of the address behind `#`. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getDocsPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getDocsScript: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JavaScript */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getGuideStart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'route_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getGuidePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the site names it. */
                page: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML; and `hashmap.json`, by which an open page finds the files of a newer release */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'route_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getGuideAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the site names it. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                    "text/css": string;
                };
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'route_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getGuideChunk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the site names it. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'route_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    getGuideSectionPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the site names it. */
                section: string;
                /** @description As the site names it. */
                page: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML, or a file as it is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                    "text/plain": string;
                };
            };
            /** @description The reader’s copy is the present one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'request_malformed' | 'host_invalid'>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'route_unknown'>;
                };
            };
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'host_unknown'>;
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'rate_limited'>;
                };
            };
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'headers_too_large'>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'internal_error'>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem<'overloaded' | 'shutting_down'>;
                };
            };
        };
    };
    "webhook.user.created": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "user.created";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookUser"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.user.updated": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "user.updated";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookUser"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.user.disabled": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "user.disabled";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookUser"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.user.enabled": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "user.enabled";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookUser"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.user.deleted": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "user.deleted";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookDeleted"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.subscription.changed": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "subscription.changed";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookSubscription"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.organization.created": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "organization.created";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookOrganization"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.organization.updated": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "organization.updated";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookOrganization"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.organization.deleted": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "organization.deleted";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookDeleted"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.organization.member_added": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "organization.member_added";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookMember"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.organization.member_changed": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "organization.member_changed";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookMember"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.organization.member_removed": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "organization.member_removed";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookRemovedMember"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.webhook.test": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every try. */
                "webhook-id": string;
                /** @description When this try was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, `v1,…`, separated by spaces: one of them is that of your secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "webhook.test";
                    /** @description When it happened. RFC 3339. */
                    timestamp: string;
                    data: components["schemas"]["WebhookTest"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Every other answer, and none within 15 seconds, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

/** Members that only the problem with this code has. */
interface ProblemOfMember {
  missing: 'permission_exceeds'
  scope: 'sign_in_wait'
  ways: 'sign_in_wait'
  needs: 'step_up_required'
}

type AnyProblem = components['schemas']['Problem']

export type ProblemCode = AnyProblem['code']

/** A union by `code`: to compare it narrows the problem. */
export type Problem<Code extends ProblemCode = ProblemCode> = {
  [C in Code]: Omit<AnyProblem, 'code' | keyof ProblemOfMember> & { code: C } & Pick<
      AnyProblem,
      { [M in keyof ProblemOfMember]: C extends ProblemOfMember[M] ? M : never }[keyof ProblemOfMember]
    >
}[Code]
