import type { Command } from 'commander'
import { type Directory, directorySql, readDirectory, useDirectory } from '../../src/identity/directory.ts'
import { Fault } from '../errors.ts'
import { print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function directory(group: Command): void {
  group.description('Choose where Muster reads second factors. See docs/issuers.md.')
  group
    .command('show')
    .description('Show the SQL view from which Muster reads second factors.')
    .action(() => withDatabase(async ({ database }) => print(await readDirectory(database))))
  group
    .command('use')
    .description('Read second factors from Muster itself (own), or from Supabase or better-auth in the same database.')
    .argument('<directory>', 'own, supabase or better-auth.')
    .option('--issuer <issuer>', 'Issuer of the users, exactly as in MUSTER_ISSUERS.')
    .option('--schema <schema>', 'Schema of the better-auth tables.', 'public')
    .option('--passkeys', 'With supabase: also read passkeys.')
    .option('--print', 'Print the SQL instead of running it, for a database role with more privileges.')
    .addHelpText('after', examples)
    .action((kind: string, options: UseOptions) => {
      const chosen = readDirectoryChoice(kind, options)
      return withDatabase(async ({ database }) => {
        if (options.print) return print(await directorySql(database, chosen))
        await useDirectory(database, chosen)
        print(`Muster now reads second factors from ${chosen.kind === 'own' ? 'its own tables' : chosen.kind}.`)
      })
    })
}

const examples = `
Examples:
  muster directory use supabase --issuer https://abcd.supabase.co/auth/v1
  muster directory use better-auth --issuer https://app.example.com --schema better_auth
  muster directory use supabase --issuer https://abcd.supabase.co/auth/v1 --print | psql`

interface UseOptions {
  readonly issuer?: string
  readonly schema: string
  readonly passkeys?: true
  readonly print?: true
}

function readDirectoryChoice(kind: string, { issuer, schema, passkeys }: UseOptions): Directory {
  if (passkeys && kind !== 'supabase')
    throw new Fault('--passkeys works only with supabase. The others always include passkeys.')
  if (kind === 'own') return { kind }
  if (kind !== 'supabase' && kind !== 'better-auth')
    throw new Fault(`There is no directory ${kind}. Choose own, supabase or better-auth.`)
  if (issuer === undefined) throw new Fault(`Add --issuer: the issuer of ${kind}, exactly as in MUSTER_ISSUERS.`)
  return kind === 'supabase' ? { kind, issuer, hasPasskeys: passkeys === true } : { kind, issuer, schema }
}
