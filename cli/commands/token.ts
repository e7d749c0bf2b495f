import type { Command } from 'commander'
import { Fault } from '../fault.ts'
import { findAccount } from '../find-account.ts'
import { note, print } from '../print.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'

export function token(program: Command): void {
  program
    .command('token')
    .summary('Make an access token for a user.')
    .description(
      'Make an access token of the built-in issuer for one of its users. Access to the database replaces the password. Prints the token and nothing else.',
    )
    .requiredOption('-e, --email <address>', 'The user: an e-mail address or the id of the account.')
    .addHelpText('after', examples)
    .action(({ email }: { email: string }) => withDatabase((context) => makeToken(context, email)))
}

const examples = `
Example:
  curl -H "Authorization: Bearer $(muster token --email ada@example.com)" \\
    http://localhost:4600/api/v1/user/data`

async function makeToken({ database, config, log }: CommandContext, who: string): Promise<void> {
  // Loaded here, because it would slow down the start of every other command.
  const { openBuiltInIssuer } = await import('../../src/service/encryption.ts')
  const issuer = await openBuiltInIssuer(config, database, { now: Date.now, log })
  if (!issuer)
    throw new Fault('The built-in issuer is switched off (MUSTER_BUILT_IN_ISSUER): get a token from your own issuer.')
  const account = await findAccount(database, who)
  if (account.disabled) throw new Fault(`The account ${who} is disabled: the service would refuse its token.`)
  if (!account.issuers.includes(issuer.entry.identityIssuer))
    throw new Fault(`${who} is not a user of the built-in issuer but of ${account.issuers.join(', ') || 'no issuer'}.`)
  const { access_token, expires_in } = await issuer.tokenFor(account.id)
  print(access_token)
  if (process.stdout.isTTY) note(`Valid for ${Math.round(expires_in / 60)} minutes.`)
}
