// better-auth behind its own handler for node:http: bearer tokens, sessions in PostgreSQL, without rate limit and telemetry.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { bearer } from 'better-auth/plugins'
import pg from 'pg'

const { PORT, DATABASE_URL } = process.env
const digest = (password) => createHash('sha256').update(password).digest('hex')

const options = {
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: 'bench-secret-of-no-worth-0123456789abcdef',
  database: new pg.Pool({ connectionString: DATABASE_URL }),
  emailAndPassword: {
    enabled: true,
    // Only for the set-up: the measurement verifies no password.
    password: {
      hash: async (password) => digest(password),
      verify: async ({ hash, password }) => hash === digest(password),
    },
  },
  plugins: [bearer()],
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
}

const { runMigrations } = await getMigrations(options)
await runMigrations()
createServer(toNodeHandler(betterAuth(options))).listen(Number(PORT), '127.0.0.1')
