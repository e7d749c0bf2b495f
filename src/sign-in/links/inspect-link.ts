import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { operation } from '../../identity/operation.ts'
import { pageHeaders } from '../../platform/http/default-headers.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { listFactorNames } from '../factors/factor-rows.ts'
import { promptForPasskey } from '../factors/verify-passkey.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type AccountLink, findAccountLink } from './account-links.ts'
import { needsFactor } from './complete-recovery.ts'
import { type InspectedLink, linkPageContract, linkScriptContract, linkStyleContract } from './contract.ts'
import { findInvitation } from './sign-up-invitations.ts'
import { findSignUpLink } from './sign-up-requests.ts'

/** Returns what a link does and for which account, without consuming it. Problem: `link_invalid`. */
export async function inspectLink(issuer: BuiltInIssuer, token: Secret): Promise<InspectedLink> {
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

/**
 * The page that links open, with its script and style. It is the same for every link, because the token stays in the
 * browser.
 */
export function linkPageRoutes() {
  const [page, script, style] = ['link.html', 'link.js', 'link.css'].map(textOf)
  return {
    linkPage: operation(linkPageContract, async ({ reply }) => send(reply, 'text/html', page)),
    linkScript: operation(linkScriptContract, async ({ reply }) => send(reply, 'text/javascript', script)),
    linkStyle: operation(linkStyleContract, async ({ reply }) => send(reply, 'text/css', style)),
  }
}

function textOf(name: string): string {
  return readFileSync(`${packageRoot()}/pages/${name}`, 'utf8')
}

function send(reply: FastifyReply, type: string, text = ''): string {
  reply.type(`${type}; charset=utf-8`).headers(pageHeaders())
  return text
}
