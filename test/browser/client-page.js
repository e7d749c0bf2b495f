// What an application does with the client of Muster, which the page has as a bundle.
import { createMuster, isProblem, unwrap } from '/client.js'

const baseUrl = 'http://localhost:4600'

Object.assign(globalThis.app, { readTwice, listUsers, checkKey, readWithWrongToken })

async function readTwice(token) {
  const muster = createMuster({ baseUrl, token: () => token })
  return [await unwrap(muster.GET('/api/v1/user/data')), await unwrap(muster.GET('/api/v1/user/data'))]
}

async function listUsers(token) {
  const muster = createMuster({ baseUrl, token: () => token })
  const paged = []
  const streamed = []
  for await (const { id } of muster.users({ limit: 2 })) paged.push(id)
  for await (const { id } of muster.streamUsers()) streamed.push(id)
  return { paged, streamed }
}

async function checkKey(token, body) {
  const muster = createMuster({ baseUrl, token: () => token })
  return unwrap(muster.POST('/api/v1/provider/keys/validate', { body }))
}

async function readWithWrongToken() {
  const muster = createMuster({ baseUrl, token: () => 'wrong' })
  try {
    return await unwrap(muster.GET('/api/v1/user/data'))
  } catch (error) {
    return isProblem(error) ? error.problem : String(error)
  }
}
