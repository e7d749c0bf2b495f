import type { Command } from 'commander'
import type { InviteOptions, RotateOptions } from '../run-issuer.ts'

/** Commands of the built-in issuer, in the groups where a person looks for them. */
export function issuer(program: Command): void {
  const users = groupOf(program, 'users')
  addInvite(users)
  addSignOut(users)
  const keys = groupOf(program, 'keys')
  addRotate(keys)
  addReseal(keys)
}

/** The group that another file set up, or one that it will find. */
function groupOf(program: Command, name: string): Command {
  return program.commands.find((command) => command.name() === name) ?? program.command(name)
}

function addInvite(users: Command): void {
  users
    .command('invite')
    .summary('Invite somebody to sign up.')
    .description(
      'Invite one address to sign up, once, where MUSTER_SIGN_UP is invitation or open. Prints the invitation and nothing else; it is shown this once.',
    )
    .requiredOption('-e, --email <address>', 'Who may sign up with it.')
    .option('-r, --role <role>', 'Role of the account.', 'user')
    .option('--json', 'Print the invitation as JSON, with the time until which it is good.')
    .addHelpText('after', inviteExamples)
    .action(async (options: InviteOptions) => {
      const { invite } = await loaded()
      await invite(options)
    })
}

function addSignOut(users: Command): void {
  users
    .command('sign-out')
    .summary('End every session of somebody.')
    .description('End every session that somebody has here, at once and everywhere. They may sign in again.')
    .argument('<user>', 'E-mail address or id.')
    .action(async (who: string) => {
      const { signOut } = await loaded()
      await signOut(who)
    })
}

function addRotate(keys: Command): void {
  keys
    .command('rotate-signing')
    .summary('Change the key that signs access tokens.')
    .description(
      'Change the key of the built-in issuer. The new one is published now and signs in ten minutes; the old one verifies until its last token has expired. Nodes notice by themselves.',
    )
    .option('--withdraw-old', 'For a key that leaked: the new one signs now, and the old ones verify nothing any more.')
    .option('--json', 'Print the new key’s id and when it signs as JSON.')
    .action(async (options: RotateOptions) => {
      const { rotateSigning } = await loaded()
      await rotateSigning(options)
    })
}

function addReseal(keys: Command): void {
  keys
    .command('reseal')
    .summary('Encrypt stored secrets anew with the current encryption key.')
    .description(
      'Encrypt signing keys and factor secrets anew with MUSTER_ENCRYPTION_KEY, whatever MUSTER_ENCRYPTION_KEY_PREVIOUS still opens. After that the previous key is needed no more.',
    )
    .action(async () => {
      const { reseal } = await loaded()
      await reseal()
    })
}

const inviteExamples = `
Example:
  muster users invite --email grace@example.com`

/** Loaded when it is needed, because it takes as long to load as all the rest. */
function loaded() {
  return import('../run-issuer.ts')
}
