import { allZones, listAt, listOf, objectAt, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import { type AbilityRead, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'ultradns',
  title: 'UltraDNS',
  docs: 'https://ultra-portalstatic.ultradns.com/static/docs/REST-API_User_Guide.pdf',
  keyPage: 'https://portal.ultradns.com/',
  baseUrl: 'https://api.ultradns.com',
  keyTypes: {
    api_key: {
      label: 'API user',
      keyLabel: 'password of the API user',
      isChosen: true,
      parts: { username: { label: 'user name', isChosen: true } },
    },
  },
  certainty: 'client code',
  remarks:
    'The password is exchanged for a token, which is discarded and expires within an hour. UltraDNS does not say which of the two is wrong. The ' +
    'test system (`test-restapi.ultradns.com`) has its own users, which are not checked.',
  firstRead: { grows: 'never' },
  abilities: {
    list: {
      request: readOf(() => '/v3/zones?limit=20'),
      find({ status, body }) {
        const zones = listOf(body, 'zones', 'properties')
        if (status === 200 && zones && objectAt(body, 'cursorInfo')) {
          const names = zones.map((zone) => textAt(zone, 'properties.name'))
          return { capabilities: zonesIn(names, { hasMore: textAt(body, 'cursorInfo.next') !== '' }) }
        }
        const isEmpty = status === 404 && valueAt(body, '0.errorCode') === 70_002
        return isEmpty ? allZones([], { hasMore: false }) : undefined
      },
    },
    zone: {
      request: readOf((zone) => `/v2/zones/${zone}./rrsets?offset=0&limit=1`),
      find({ status, body }, { zone }) {
        if (status === 200 && textAt(body, 'zoneName') === `${zone}.` && listAt(body, 'rrSets'))
          return { hasZone: true, capabilities: { abilities: ['dns:read'] } }
        return status === 404 && valueAt(body, '0.errorCode') === 1801 ? { hasZone: false } : undefined
      },
    },
  },
  // The documented call has the password in the body.
  request: ({ apiKey, parts: { username = '' } }) => ({
    path: '/v2/authorization/token',
    headers: {},
    form: { grant_type: 'password', username, password: apiKey },
  }),
  classify({ status, body }) {
    const has = (...names: string[]) => names.some((name) => textAt(body, name))
    const isToken = has('accessToken', 'access_token') && has('refreshToken', 'refresh_token')
    if (status === 200 && isToken && has('expiresIn', 'expires_in')) return valid()
    const isPair = textAt(body, 'errorMessage').startsWith('invalid_grant:Invalid username & password')
    if ((status === 400 || status === 401) && valueAt(body, 'errorCode') === 60_001 && isPair)
      return invalid('wrong_parts')
    return undetermined('unexpected_answer')
  },
})

/** A call with the token that the password was exchanged for. */
function readOf(path: (zone: string) => string): AbilityRead['request'] {
  return (_, __, { zone, decided: { body } }) => ({
    path: path(zone),
    headers: { authorization: `Bearer ${textAt(body, 'accessToken') || textAt(body, 'access_token')}` },
  })
}
