import type { AskOptions, IssuerSession } from './issuer-sign-in.ts'
import { type IssuerReturn, rememberedIssuer } from './issuer-storage.ts'
import type { SignInFault, SignInIssuer, StateStore } from './session-state.ts'

interface Held {
  readonly issuer: SignInIssuer
  readonly session: IssuerSession
}

/** The way to a session with another issuer than the built-in one. */
export interface IssuerWay {
  /** The session that is open now, where it is one of these. */
  held(): Held | undefined
  /** The session that is opened next is another one. */
  drop(): void
  /** Sends the browser to the issuer. Returns where that was not possible; the state says why. */
  ask(issuer: SignInIssuer, how: AskOptions): Promise<void>
  /** Opens the session, or says in the state why not. True after a sign-in that the user has asked for. */
  complete(returned: IssuerReturn): Promise<boolean>
}

/** The library is loaded where another issuer is used: a sign-in with a password needs nothing of it. */
export function createIssuerWay(store: StateStore): IssuerWay {
  let held: Held | undefined

  function closeFor({ title }: SignInIssuer, { reason, code }: SignInFault): void {
    // An issuer that cannot be reached is asked again by the next reload.
    if (reason !== 'unreachable') rememberedIssuer.forget()
    store.close({ fault: { reason, title, code } })
  }

  async function openWith(issuer: SignInIssuer, session: IssuerSession): Promise<boolean> {
    if (!(await isAccepted(session.accessToken))) {
      void session.end()
      closeFor(issuer, { reason: 'not_accepted' })
      return false
    }
    rememberedIssuer.write(issuer.issuer)
    held = { issuer, session }
    store.become({ status: 'open', issuer }, session.accessToken)
    return true
  }

  return {
    held: () => (store.read().status === 'open' ? held : undefined),
    drop() {
      held = undefined
    },
    async ask(issuer, how) {
      const { askIssuer, IssuerFault } = await import('./issuer-sign-in.ts')
      await askIssuer(issuer, how).catch((error: unknown) => {
        if (!(error instanceof IssuerFault)) throw error
        closeFor(issuer, error)
      })
    },
    async complete({ parameters, asked }) {
      const issuer = store.options.issuers.find((one) => one.issuer === asked?.issuer)
      if (!asked || !issuer) store.close({ fault: { reason: 'mismatch' } })
      // Signed out in another tab meanwhile.
      else if (asked.isResumed && rememberedIssuer.read() !== issuer.issuer) store.close()
      if (!asked || !issuer || store.read().status === 'closed') return false
      const { completeSignIn, IssuerFault } = await import('./issuer-sign-in.ts')
      try {
        const session = await completeSignIn(issuer, { parameters, asked })
        return (await openWith(issuer, session)) && !asked.isResumed
      } catch (error) {
        if (!(error instanceof IssuerFault)) throw error
        closeFor(issuer, error)
        return false
      }
    },
  }
}

/** A token for another audience, or one that is no JWT, would be refused at every screen: it is said once, at the sign-in. */
async function isAccepted(token: string): Promise<boolean> {
  const response = await fetch('/api/v1/user/data', { headers: { authorization: `Bearer ${token}` } })
  return response.status !== 401
}
