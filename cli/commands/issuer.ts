import type { Command } from 'commander'
import type { InviteOptions, RotateOptions } from '../run-issuer.ts'

/** Commands of the built-in issuer, in the groups `users` and `keys`. */
export function issuer(program: Command): void {
  const users = groupOf(program, 'users')
  addInvite(users)
  addSignOut(users)
  const keys = groupOf(program, 'keys')
  addRotate(keys)
  addReEncrypt(keys)
}

/** The group, whether or not the file that describes it has run already. */
function groupOf(program: Command, name: string): Command {
  return program.commands.find((command) => command.name() === name) ?? program.command(name)
}

function addInvite(users: Command): void {
  users
    .command('invite')
    .summary('Invite an e-mail address to sign up.')
    .description(
      'Invite an e-mail address to sign up, once, where MUSTER_SIGN_UP is invitation or open. Prints the invitation and nothing else; Muster does not show it again.',
    )
    .requiredOption('-e, --email <address>', 'The address that may sign up with it.')
    .option('-r, --role <role>', 'Role of the new account.', 'user')
    .option(
      '--proved',
      'You hand it to the owner of the address: the sign-up proves the address, and displaces an account that has it unproved.',
    )
    .option('--mail', 'Mail it to the address in place of printing it: the sign-up proves the address.')
    .option('--json', 'Print the invitation as JSON, with the time at which it expires.')
    .addHelpText('after', inviteExamples)
    .action(async (options: InviteOptions) => {
      const { runInvite } = await loadRunners()
      await runInvite(options)
    })
}

function addSignOut(users: Command): void {
  users
    .command('sign-out')
    .alias('end-sessions')
    .summary('End every session of a user.')
    .description('End every session of a user at once. The user can sign in again.')
    .argument('<user>', 'E-mail address or id.')
    .action(async (user: string) => {
      const { runSignOut } = await loadRunners()
      await runSignOut(user)
    })
}

function addRotate(keys: Command): void {
  keys
    .command('rotate-signing')
    .summary('Replace the key that signs access tokens.')
    .description(
      'Replace the signing key of the built-in issuer. The new key is published now and signs in ten minutes; the old one verifies until its last token has expired. Nodes need no restart.',
    )
    .option('--withdraw-old', 'For a leaked key: the new key signs now, and the old ones no longer verify.')
    .option('--json', 'Print the id of the new key, and when it starts to sign, as JSON.')
    .action(async (options: RotateOptions) => {
      const { runRotateSigning } = await loadRunners()
      await runRotateSigning(options)
    })
}

function addReEncrypt(keys: Command): void {
  keys
    .command('re-encrypt')
    .alias('reseal') // the name before
    .summary('Re-encrypt stored secrets with the current encryption key.')
    .description(
      'Re-encrypt with MUSTER_ENCRYPTION_KEY the signing keys, factor secrets, waiting mails and secrets of webhooks that MUSTER_ENCRYPTION_KEY_PREVIOUS encrypted. After that, remove the previous key.',
    )
    .action(async () => {
      const { runReEncrypt } = await loadRunners()
      await runReEncrypt()
    })
}

const inviteExamples = `
Example:
  muster users invite --email grace@example.com
  muster users invite --email cfo@example.com --role admin --proved`

/** Loaded when a command runs: it would double the start time of every other command. */
function loadRunners() {
  return import('../run-issuer.ts')
}
