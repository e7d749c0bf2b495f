// parse-server as an Express application with its PostgreSQL adapter and only the required options; it has no rate limit.
import express from 'express'
import { ParseServer } from 'parse-server'

const { PORT, DATABASE_URL } = process.env

const server = new ParseServer({
  databaseURI: DATABASE_URL,
  appId: 'bench',
  masterKey: 'bench-master-key-of-no-worth',
  serverURL: `http://127.0.0.1:${PORT}/parse`,
  allowClientClassCreation: false,
  enableAnonymousUsers: false,
})
await server.start()
const app = express()
app.use('/parse', server.app)
app.listen(Number(PORT), '127.0.0.1')
