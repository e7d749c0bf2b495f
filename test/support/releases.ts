import { type Client, DatabaseError } from 'pg'

/** What a release asks the database, as `npm run release` keeps it in test/releases/. */
export interface Release {
  /** The name of its newest migration. */
  readonly migration: string
  /** The text of each named statement, by its name. */
  readonly statements: Readonly<Record<string, string>>
}

/** The statements that the database cannot prepare, each with the SQLSTATE. */
export async function unpreparable(client: Client, { statements }: Release): Promise<string[]> {
  const refused: string[] = []
  for (const [name, text] of Object.entries(statements))
    try {
      await client.query(`prepare of_release as ${text}`)
      await client.query('deallocate of_release')
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      refused.push(`${name}: ${error.code}`)
    }
  return refused
}
