import type { Command } from 'commander'
import { type Directory, directorySql, readDirectory, useDirectory } from '../../src/identity/directory.ts'
import { Fault } from '../fault.ts'
import { print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function directory(program: Command): void {
  const group = program.command('directory').description('Whose second factors are shown: docs/directory.md.')
  group
    .command('show')
    .description('Show the view that is read.')
    .action(() => withDatabase(async ({ database }) => print(await readDirectory(database))))
  group
    .command('use')
    .description('Read the factors of this service (own), or of Supabase or better-auth in the same database.')
    .argument('<directory>', 'own, supabase or better-auth.')
    .option('--issuer <issuer>', 'Whose people they are: the issuer as its entry has it, character by character.')
    .option('--schema <schema>', 'Where better-auth has its tables.', 'public')
    .option('--print', 'Print the SQL and change nothing: for somebody with more rights.')
    .addHelpText('after', examples)
    .action((kind: string, options: UseOptions) => {
      const chosen = readDirectoryChoice(kind, options)
      return withDatabase(async ({ database }) => {
        if (options.print) return print(await directorySql(database, chosen))
        await useDirectory(database, chosen)
        print(`From now on the factors of ${chosen.kind} are shown.`)
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
  readonly print?: true
}

function readDirectoryChoice(kind: string, { issuer, schema }: UseOptions): Directory {
  if (kind === 'own') return { kind }
  if (kind !== 'supabase' && kind !== 'better-auth')
    throw new Fault(`There is no directory ${kind}; there are own, supabase and better-auth.`)
  if (issuer === undefined)
    throw new Fault(`--issuer is needed: the issuer of ${kind} as its entry in MUSTER_ISSUERS has it.`)
  return kind === 'supabase' ? { kind, issuer } : { kind, issuer, schema }
}
