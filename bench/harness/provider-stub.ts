import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'

/**
 * A provider that accepts every token, over HTTPS, in a separate process: node provider-stub.js CERTIFICATE KEY. Speaks HTTP/2, like
 * Cloudflare, and HTTP/1.1. Answers paths that start with `/d50` after 50 ms. Sends its port to the parent.
 */
const [certificate = '', key = ''] = process.argv.slice(2)
const body = JSON.stringify({
  result: { id: 'ed17574386854bf78a67040be0a770b0', status: 'active' },
  success: true,
  errors: [],
  messages: [{ code: 10000, message: 'This API Token is valid and active', type: null }],
})
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }

const options = { cert: readFileSync(certificate), key: readFileSync(key), allowHTTP1: true }
const server = createSecureServer(options, (request, response) => {
  const delayMs = Number(/^\/d(\d+)\//.exec(request.url ?? '')?.[1])
  const answer = () => {
    response.writeHead(200, headers)
    response.end(body)
  }
  if (delayMs > 0) setTimeout(answer, delayMs)
  else answer()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
process.on('disconnect', () => process.exit(0))
