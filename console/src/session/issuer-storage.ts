/** What this tab has asked an issuer for. It is kept while the browser is there, and works once. */
export interface AskedIssuer {
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** The screen to go on with. */
  readonly hash: string
  /** Asked without the user, for a session that was open before. */
  readonly isResumed: boolean
}

/** What an issuer has sent the browser back with. */
export interface IssuerReturn {
  readonly parameters: URLSearchParams
  /** Nothing where this tab has asked for nothing. */
  readonly asked: AskedIssuer | undefined
}

const askedKey = 'muster.asked-issuer'
const issuerKey = 'muster.issuer'

export function keepAsked(asked: AskedIssuer): void {
  sessionStorage.setItem(askedKey, JSON.stringify(asked))
}

/**
 * Takes the answer of an issuer out of the address, so that neither the history nor a reload has the code, and puts the screen back that
 * the user was at. Nothing where the page was opened in another way.
 */
export function takeIssuerReturn(): IssuerReturn | undefined {
  if (location.search === '') return undefined
  const parameters = new URLSearchParams(location.search)
  const isReturn = parameters.has('state') || parameters.has('code') || parameters.has('error')
  const asked = isReturn ? takeAsked() : undefined
  history.replaceState(null, '', location.pathname + (asked ? asked.hash : location.hash))
  return isReturn ? { parameters, asked } : undefined
}

function takeAsked(): AskedIssuer | undefined {
  const text = sessionStorage.getItem(askedKey)
  sessionStorage.removeItem(askedKey)
  return text === null ? undefined : JSON.parse(text)
}

/** At which issuer this browser is signed in: its name alone, so that a reload and another tab ask there again. */
export const rememberedIssuer = {
  read: () => localStorage.getItem(issuerKey) ?? undefined,
  write: (issuer: string) => localStorage.setItem(issuerKey, issuer),
  forget: () => localStorage.removeItem(issuerKey),
}
