import { listAt, textAt, valueAt } from '../engine/answers.ts'
import { bearer, invalid, type ProviderAnswer, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'vercel',
  title: 'Vercel',
  docs: 'https://vercel.com/docs/rest-api/authentication/get-auth-token-metadata',
  keyPage: 'https://vercel.com/account/settings/tokens',
  baseUrl: 'https://api.vercel.com',
  keyTypes: { api_token: { label: 'access token' } },
  certainty: 'documented',
  remarks:
    'Reads the token itself, because a token of a team cannot read the user. A zone is looked up in the team of a token that belongs to one team, ' +
    'otherwise in the default scope of the user.',
  firstRead: { grows: 'never' },
  abilities: {
    zone: {
      request({ apiKey }, _, { zone, decided }) {
        const team = onlyTeamOf(decided)
        return {
          path: `/v5/domains/${zone}${team && `?teamId=${team}`}`,
          headers: { authorization: `Bearer ${apiKey}` },
        }
      },
      find({ status, body }, { zone, decided }) {
        const isDomain = textAt(body, 'domain.name') === zone && textAt(body, 'domain.serviceType') !== ''
        if (status === 200 && isDomain) return { hasZone: true }
        const isMissing = textAt(body, 'error.code') === 'not_found' && textAt(body, 'error.name') === zone
        if (status !== 404 || !isMissing) return undefined
        // Another team of the user may have it.
        return onlyTeamOf(decided) ? { hasZone: false } : {}
      },
    },
  },
  request: bearer('/v5/user/tokens/current'),
  classify({ status, body }) {
    if (status === 200 && textAt(body, 'token.id') && textAt(body, 'token.type')) return valid()
    if (status !== 403 || textAt(body, 'error.code') !== 'forbidden') return undetermined('unexpected_answer')
    // Without the flag it is a genuine token that may not make the call.
    return valueAt(body, 'error.invalidToken') === true ? invalid('not_recognised') : valid('limited_permissions')
  },
})

/** The team, if the token can do nothing outside of it. */
function onlyTeamOf({ body }: ProviderAnswer): string {
  const [scope, ...others] = listAt(body, 'token.scopes') ?? []
  const team = others.length === 0 && textAt(scope, 'type') === 'team' ? textAt(scope, 'teamId') : ''
  return /^team_[A-Za-z0-9]{1,60}$/.test(team) ? team : ''
}
