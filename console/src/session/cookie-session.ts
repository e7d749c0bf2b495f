/** The session with the built-in issuer: the refresh token is in a cookie that no script reads and only `/console/session` takes. */

const path = '/console/session'

/** Of all pages of this browser that share the cookie. */
export const sharedName = 'muster console session'

/** Puts the session of a sign-in into the cookie; returns its access token. */
export async function openCookieSession(refreshToken: string): Promise<string> {
  const body = JSON.stringify({ refresh_token: refreshToken })
  const token = await exchange({ method: 'PUT', body, headers: { 'content-type': 'application/json' } })
  if (token === undefined) throw new Error('The session ended before it was opened.')
  return token
}

/** The next access token; nothing where there is no session. */
export function renewCookieSession(): Promise<string | undefined> {
  return exchange({ method: 'POST' })
}

export async function endCookieSession(): Promise<void> {
  const response = await fetch(path, { method: 'DELETE' })
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
}

/** One exchange at a time in all pages, because each makes a new refresh token. */
async function exchange(request: RequestInit): Promise<string | undefined> {
  return await navigator.locks.request(sharedName, async () => {
    const response = await fetch(path, request)
    if (response.status === 204 || response.status === 401) return undefined
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
    const tokens: { readonly access_token: string } = await response.json()
    return tokens.access_token
  })
}
