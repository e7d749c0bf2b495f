import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { operations } from '../../identity/operation.ts'
import { pageHeaders } from '../../platform/http/default-headers.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { refuse } from '../../platform/problems.ts'
import { opaqueTokenHash, optionalSecret, Secret } from '../../platform/secret.ts'
import { listFactorNames } from '../factors/factor-rows.ts'
import { optionalProof } from '../factors/second-proof.ts'
import { promptForPasskey } from '../factors/verify-passkey.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { Attempts } from '../sessions/attempts.ts'
import { clientOf } from '../sessions/client.ts'
import { type AccountLink, findAccountLink } from './account-links.ts'
import { completeRecovery, needsFactor } from './complete-recovery.ts'
import { type InspectedLink, linkContracts } from './contract.ts'
import { confirmEmailChange, requestEmailChange, undoEmailChange, withdrawEmailChange } from './email-change.ts'
import { requestRecovery } from './mail-requests.ts'
import { findInvitation, findSignUpLink } from './sign-up-links.ts'

export function linkOperations(issuer: BuiltInIssuer, attempts: Attempts) {
  const { database } = issuer
  const [page, script, style] = ['link.html', 'link.js', 'link.css'].map(textOf)
  return operations(linkContracts, {
    inspectLink: async (input) =>
      attempts.bySender(input, undefined, () => inspectLink(issuer, new Secret(input.body.token))),
    requestRecovery: async (input) => {
      await attempts.bySender(input, undefined, (client) => requestRecovery(issuer, input.body.email, client))
      return {}
    },
    completeRecovery: async (input) => {
      const { token, newPassword } = input.body
      const proof = optionalProof(input.body)
      const recovery = { token: new Secret(token), newPassword: optionalSecret(newPassword), proof }
      const device = await attempts.bySender(input, undefined, (client) => completeRecovery(issuer, recovery, client))
      return { device_token: device.open() }
    },
    requestEmailChange: async (input) => {
      const { caller, body } = input
      await attempts.byAccount(input, (client) => requestEmailChange(issuer, caller, body.newEmail, client))
      return {}
    },
    withdrawEmailChange: async ({ caller, request }) => withdrawEmailChange(database, caller, clientOf(request)),
    confirmEmailChange: async (input) => {
      const token = new Secret(input.body.token)
      await attempts.bySender(input, undefined, (client) => confirmEmailChange(issuer, token, client))
    },
    undoEmailChange: async (input) => {
      const token = new Secret(input.body.token)
      await attempts.bySender(input, undefined, (client) => undoEmailChange(database, token, client))
    },
    // The page and its files are the same for every link, because the token stays in the browser.
    linkPage: ({ reply }) => send(reply, 'text/html', page),
    linkScript: ({ reply }) => send(reply, 'text/javascript', script),
    linkStyle: ({ reply }) => send(reply, 'text/css', style),
  })
}

/** Returns what a link does and for which account, without consuming it. Problem: `link_invalid`. */
async function inspectLink(issuer: BuiltInIssuer, token: Secret): Promise<InspectedLink> {
  const { database } = issuer
  const hash = opaqueTokenHash(token.open())
  const link = await findAccountLink(database, hash)
  if (!link) {
    const signsUp = await findSignUpLink(database, hash)
    if (signsUp !== undefined) return { purpose: 'sign_up', email: signsUp, ...withoutFactor }
    const email = (await findInvitation(database, hash)) ?? refuse('link_invalid')
    return { purpose: 'invitation', email, ...withoutFactor }
  }
  const { accountId, purpose } = link
  if (!(await needsFactor(database, link))) return { purpose, ...addressesOf(link), ...withoutFactor }
  const factors = await listFactorNames(database, accountId)
  const passkey = await promptForPasskey(issuer, database, factors, { purpose: 'recovery', accountId })
  return { purpose, email: link.email, needsFactor: true, factors, ...passkey }
}

const withoutFactor: Pick<InspectedLink, 'needsFactor' | 'factors'> = { needsFactor: false, factors: [] }

/** Only what the recipient may know: the recipient at the new email does not see the current one before the change. */
function addressesOf({
  purpose,
  email,
  address,
  awaitsOther,
}: AccountLink): Pick<InspectedLink, 'email' | 'newEmail' | 'awaitsOther'> {
  if (purpose === 'email_change_old' && address !== null) return { email, newEmail: address, awaitsOther }
  if (purpose === 'email_change' && address !== null) return { email: address, awaitsOther }
  return { email: purpose === 'email_undo' && address !== null ? address : email }
}

function textOf(name: string): string {
  return readFileSync(`${packageRoot()}/pages/${name}`, 'utf8')
}

function send(reply: FastifyReply, type: string, text = ''): string {
  reply.type(`${type}; charset=utf-8`).headers(pageHeaders())
  return text
}
