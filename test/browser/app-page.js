// A page of an application, as a developer would write it: plain calls of the service, and what browsers have for passkeys.

const service = 'http://localhost:4600'

globalThis.app = { call, addPasskey, signInByPasskey, signInByPasswordAndPasskey }

/** Status, headers that the page may read, and the body. */
async function call(method, path, { token, headers = {}, body } = {}) {
  const answer = await fetch(service + path, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: text && JSON.parse(text) }
}

/** `algorithms` leaves only these, by their COSE numbers. */
async function addPasskey(token, algorithms) {
  const { options } = (await call('POST', '/auth/passkeys/options', { token, body: {} })).body
  if (algorithms) options.pubKeyCredParams = options.pubKeyCredParams.filter(({ alg }) => algorithms.includes(alg))
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = await navigator.credentials.create({ publicKey })
  const algorithm = made.response.getPublicKeyAlgorithm()
  const body = { friendlyName: 'Laptop', credential: made.toJSON() }
  return { ...(await call('POST', '/auth/passkeys', { token, body })), algorithm }
}

async function signInByPasskey() {
  const { options } = (await call('POST', '/auth/sign-in/passkey/options', { body: {} })).body
  return call('POST', '/auth/sign-in/passkey', { body: { credential: await credentialFor(options) } })
}

async function signInByPasswordAndPasskey(email, password) {
  const first = await call('POST', '/auth/sign-in', { body: { email, password } })
  const credential = await credentialFor(first.body.passkey.options)
  return call('POST', '/auth/sign-in/second-step', { body: { challenge: first.body.challenge, credential } })
}

async function credentialFor(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return (await navigator.credentials.get({ publicKey })).toJSON()
}
