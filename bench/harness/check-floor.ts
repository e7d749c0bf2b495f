import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { bareCall } from './check-calls.ts'

/**
 * The minimum cost of a check over HTTP: reads the request, makes the call and answers. node check-floor.js BASE_URL. Verifies no token,
 * has no limits and writes no audit event.
 */
const baseUrl = process.argv[2] ?? ''
let token = ''
const bare = bareCall(baseUrl, () => token)

const server = createServer(async (request, response) => {
  const body: { apiKey: string } = JSON.parse(await text(request))
  token = body.apiKey
  await bare.call()
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"isValid":true,"message":"The Cloudflare API token is genuine; its permissions were not checked."}')
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
process.on('disconnect', () => process.exit(0))
