import type { Command } from 'commander'
import { Fault } from '../errors.ts'
import { findAccount } from '../find-account.ts'
import { note, print } from '../print.ts'
import { type ConfiguredContext, withConfig } from '../with-database.ts'

export function token(command: Command): void {
  command
    .description(
      'Print an access token for a user of the built-in issuer. No password is needed: access to the database is enough.',
    )
    .requiredOption('-e, --email <address>', 'Email or ID of the user.')
    .addHelpText('after', example)
    .action(({ email }: { email: string }) => withConfig((context) => printToken(context, email)))
}

const example = `
Example:
  curl -H "Authorization: Bearer $(muster token --email ada@example.com)" \\
    http://localhost:4600/api/v1/user/data`

async function printToken({ database, config, log }: ConfiguredContext, who: string): Promise<void> {
  // Loaded here, because it doubles the time to load this command, and --help needs none of it.
  const { openBuiltInIssuer } = await import('../../src/service/encryption.ts')
  const issuer = await openBuiltInIssuer(config, database, { now: Date.now, log })
  if (!issuer) throw new Fault('The built-in issuer is off (MUSTER_BUILT_IN_ISSUER). Get a token from your own issuer.')
  const account = await findAccount(database, who)
  if (account.disabled) throw new Fault(`${who} is disabled, so the service would reject the token.`)
  if (!account.issuers.includes(issuer.entry.identityIssuer))
    throw new Fault(
      `${who} does not sign in with the built-in issuer. Issuers of this user: ${account.issuers.join(', ') || 'none'}.`,
    )
  const { access_token, expires_in } = await issuer.tokenFor(account.id)
  print(access_token)
  if (process.stdout.isTTY) note(`Valid for ${Math.round(expires_in / 60)} minutes.`)
}
