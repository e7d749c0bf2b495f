import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'

export interface LookupOrder {
  readonly databaseUrl: string
  readonly connections: number
}

/**
 * The base for user data: `node:http` and `pg`, one prepared lookup by primary key per request. `/<id>` answers the text of that row in
 * `bench_body`, with the headers of user data. Has no other feature of a service.
 */
process.once('message', ({ databaseUrl, connections }: LookupOrder) => {
  const pool = new Pool({ connectionString: databaseUrl, max: connections })
  const server = createServer((request, response) => {
    const query = { name: 'body', text: 'select body from bench_body where id = $1', values: [request.url?.slice(1)] }
    pool.query<{ body: string }>(query).then(
      ({ rows }) => {
        const body = rows[0]?.body ?? ''
        response.writeHead(body === '' ? 404 : 200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
        })
        response.end(body)
      },
      () => response.writeHead(500).end(),
    )
  })
  // A TCP server's address has a port.
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
process.on('disconnect', () => process.exit())
