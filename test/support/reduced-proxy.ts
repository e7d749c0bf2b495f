import { type AddressInfo, connect, createServer } from 'node:net'

/**
 * A program: a proxy in front of a PostgreSQL that refuses `LISTEN`, `UNLISTEN` and `NOTIFY`. Arguments: host and port of the server. It prints
 * its own port, and ends with its standard input.
 */
const [host = '', port = ''] = process.argv.slice(2)
const refused = /(?:^|;)\s*(?:un)?(?:listen|notify)\b/i

const server = createServer((near) => {
  const far = connect(Number(port), host)
  const statementsIn = createReader()
  near.on('data', (data) => {
    if (statementsIn(data).some((text) => refused.test(text))) {
      near.end(refusal)
      far.destroy()
    } else far.write(data)
  })
  far.pipe(near)
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
}).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
process.stdin.on('end', () => process.exit()).resume()

/** Answers the statements of the messages that are complete. Protocol 3.0: start-up messages without a type, then type, length, content. */
function createReader(): (data: Buffer) => readonly string[] {
  let rest: Buffer = Buffer.alloc(0)
  let hasStarted = false

  function take(): Buffer | undefined {
    const lengthAt = hasStarted ? 1 : 0
    if (rest.length < lengthAt + 4) return undefined
    const end = lengthAt + rest.readUInt32BE(lengthAt)
    if (rest.length < end) return undefined
    const message = rest.subarray(0, end)
    rest = rest.subarray(end)
    return message
  }

  /** A request for TLS comes before the start-up message, which has the version of the protocol. */
  function statementOf(message: Buffer): string {
    if (hasStarted) return textOf(message)
    hasStarted = message.readUInt16BE(4) === 3
    return ''
  }

  return (data) => {
    rest = Buffer.concat([rest, data])
    const texts: string[] = []
    for (let message = take(); message; message = take()) texts.push(statementOf(message))
    return texts
  }
}

/** Of a Query its text, and of a Parse what comes after its name. */
function textOf(message: Buffer): string {
  const type = message.toString('latin1', 0, 1)
  if (type !== 'Q' && type !== 'P') return ''
  return message.toString('utf8', 5).split('\0')[type === 'Q' ? 0 : 1] ?? ''
}

/** ErrorResponse: severity FATAL, SQLSTATE 0A000, feature not supported. */
const refusal = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C0A000\0MLISTEN and NOTIFY are not supported\0\0')
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  return Buffer.concat([Buffer.from('E'), length, fields])
})()
