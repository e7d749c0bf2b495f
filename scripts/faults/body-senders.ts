import { connectTo } from '../../test/support/raw-http.ts'

/**
 * The process that sends the bodies for `hostile-bodies.ts`: sending hundreds of megabytes must not slow down the measured calls.
 * Arguments: the service's address, tokens separated by commas, the kind of body, and the number of parallel bodies. Sends `ready` to its
 * parent, waits for a message, and sends the status and code of every answer.
 */
const [url = '', tokens = '', kind = '', count = ''] = process.argv.slice(2)

const size = 4_190_000

interface Message {
  /** Header lines about the body. */
  readonly head: string
  readonly body: string
}

const kinds: Readonly<Record<string, () => Message>> = {
  lists: () => withLength('['.repeat(size / 2) + ']'.repeat(size / 2)),
  objects: () => withLength(`${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`),
  'lists and objects by turns': () => withLength('[{"a":'.repeat(size / 6)),
  'lists after a valid start': () => withLength(`{"keys":[{"apiKey":"x","for":${'['.repeat(size - 100)}`),
  'brackets in a string': () => withLength(`{"keys":[{"apiKey":"${'['.repeat(size - 100)}","keyType":"none"}]}`),
  'two million elements': () => withLength(`{"keys":[${'0,'.repeat(size / 2 - 10)}0]}`),
  gzip: () => ({ head: `Content-Encoding: gzip\r\nContent-Length: ${size}`, body: '['.repeat(size) }),
  'chunks of one byte': () => ({ head: 'Transfer-Encoding: chunked', body: '1\r\n[\r\n'.repeat(size / 4) }),
  'batches of 1,000 keys': () => {
    const keys = Array.from({ length: 1_000 }, () => ({ apiKey: 'x'.repeat(4_090), keyType: 'none' }))
    return withLength(JSON.stringify({ keys }))
  },
}

function withLength(body: string): Message {
  return { head: `Content-Length: ${Buffer.byteLength(body)}`, body }
}

function send(token: string, head: string, body: Buffer): Promise<string> {
  const socket = connectTo(url)
  const answered = new Promise<string>((resolve) => {
    let received = ''
    socket.on('data', (data) => {
      received += data.toString('latin1')
      const [, status, code] = /^HTTP\/1\.1 (\d{3}) [\s\S]*?(?:"code":"(\w+)"|"index":0)/.exec(received) ?? []
      if (status !== undefined) resolve(`${status} ${code ?? ''}`.trim())
    })
    socket.on('error', (error) => resolve(error.message))
    socket.on('close', () => resolve('no answer'))
  })
  socket.write(
    `POST /api/v1/provider/keys/validate-batch HTTP/1.1\r\nHost: muster.test\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${head}\r\n\r\n`,
  )
  socket.write(body)
  return answered.finally(() => socket.destroy())
}

const make = kinds[kind]
if (!make) throw new Error(`There is no kind of body named ${kind}.`)
const { head, body } = make()
const bytes = Buffer.from(body)
process.send?.('ready')
process.once('message', async () => {
  const callers = tokens.split(',')
  const sent = Array.from({ length: Number(count) }, (_, index) =>
    send(callers[index % callers.length] ?? '', head, bytes),
  )
  process.send?.(await Promise.all(sent))
  process.disconnect()
})
