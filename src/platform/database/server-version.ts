import type { Rows } from './database.ts'

/** The version of the server as it names itself, such as `18.1`. */
export async function readServerVersion(rows: Rows): Promise<string> {
  const [row] = await rows.query<{ version: string }>(versionStatement, [])
  return row?.version ?? 'of an unknown version'
}

const versionStatement = { name: 'server-version', text: `select current_setting('server_version') as version` }
