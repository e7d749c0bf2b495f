import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { CheckOptions } from '../check-key.ts'
import { undeterminedExitCode } from '../fault.ts'
import type { CheckFileOptions } from '../keys/check-file.ts'
import type { WatchOptions } from '../keys/watch.ts'

export function keys(program: Command): void {
  const group = program.command('keys').description('Whether a provider’s key works.')
  group
    .command('check')
    .summary('Ask the provider whether a credential works.')
    .description(
      'Ask the provider whether a credential works. The command prompts for the credential or reads it from standard input; it takes no argument, which others on the machine would see. Needs no database.',
    )
    .option('-p, --provider <id>', 'Provider, such as cloudflare. Default: MUSTER_DEFAULT_PROVIDER.')
    .addOption(new Option('-t, --key-type <type>', 'What kind of credential it is.').choices(['api_token', 'api_key']))
    .option('-e, --email <address>', 'E-mail address of the account, where the provider needs it.')
    .option('--part <name=value>', 'Another part of the credential that is no secret. Repeatable.', collected)
    .option('--part-file <name=path>', 'Another part of the credential, from a file. Repeatable.', collected)
    .option('--details', 'Print everything that was found out.')
    .option('--for-zone <name>', 'The zone that it is for: print whether that was seen.')
    .option('--for-ability <name>', 'What it has to be able to do, such as dns:edit: print whether that was seen.')
    .option('--json', 'Print what the service would answer; with --file, the counts.')
    .addOption(new Option('-f, --file <path>', 'Check many: a CSV file, or - for standard input.').conflicts(ofOne))
    .option('-r, --report <path>', 'With --file: where the outcome of every line goes, .csv or .json.')
    .option('-y, --yes', 'With --file: replace a report that is there.')
    .option(
      '--resume <report>',
      'With --file: keep the verdicts of this report and check the other lines. Without --report it is completed in place.',
    )
    .addOption(
      new Option(
        '--only <outcome>',
        'With --resume: check only the lines that the report has as undetermined.',
      ).choices(['undetermined']),
    )
    .option(
      '--stop-after-invalid <number>',
      'With --file: leave the rest after so many invalid keys.',
      wholeNumber(1, 999_999),
    )
    .option('--at-once <number>', 'With --file: so many checks at once.', wholeNumber(1, 256), 8)
    .option('--wait <seconds>', 'With --file: the longest wait for a provider.', wholeNumber(0, 86_400), 900)
    .addHelpText('after', examples)
    .exitOverride(asUndetermined)
    .action(async (options: OneOrMany, command: Command) => {
      const { file } = options
      // Loaded here, because only this command asks providers.
      if (file === undefined) {
        refuseWithoutFile(command)
        const { checkKey } = await import('../check-key.ts')
        return checkKey(options)
      }
      if (options.only !== undefined && options.resume === undefined)
        command.error('error: --only goes only with --resume.')
      const { checkFile } = await import('../keys/check-file.ts')
      return checkFile({ ...options, file })
    })
  watch(group)
}

function watch(group: Command): void {
  group
    .command('watch')
    .summary('Check the keys that a file names, for a timer.')
    .description(
      'Check the keys that a file refers to by environment variable or file, and print those that are dead, undetermined or about to expire. Stores no key and needs no database.',
    )
    .requiredOption('-c, --config <path>', 'JSON file that names the keys, see docs/checking-keys.md.')
    .option('--days <number>', 'Print keys that expire within so many days.', wholeNumber(0, 3_650), 30)
    .option('--textfile <path>', 'Also write metrics for the textfile collector of node_exporter.')
    .option('--wait <seconds>', 'The longest wait for a provider.', wholeNumber(0, 86_400), 900)
    .addHelpText('after', watchExitCodes)
    .exitOverride(asUndetermined)
    .action(async (options: WatchOptions) => {
      const { watchKeys } = await import('../keys/watch.ts')
      return watchKeys(options)
    })
}

const watchExitCodes = `
Exit codes:
  0  every key is valid, and none expires soon
  1  a key is not valid, or expires soon
  2  a key is undetermined, or the command could not start`

const examples = `
Exit codes:
  0  the credential is valid
  1  it is not
  2  undetermined: the provider gave no verdict, or the command could not ask it

Examples:
  muster keys check
  muster keys check --provider cloudflare --key-type api_token < token.txt
  muster keys check -t api_key -e ada@example.com --details
  muster keys check --for-zone example.com --for-ability dns:edit < token.txt
  muster keys check -p route53 --part accessKeyId=AKIAIOSFODNN7EXAMPLE < secret.txt

Many keys:
  The first line of the file names its columns: key and, where wanted, provider, key_type,
  email, label and the names of further parts of a credential, such as accessKeyId. Lines that leave a column empty take --provider, --key-type and --email.
  No key stands in the report or in any other output; a line is named by its number and label.
  The command waits while a provider limits the rate or has locked this address out; keys
  without a verdict by the end of --wait are undetermined, never invalid. Ctrl-C writes the
  report of what was done.

Exit codes with --file:
  0  every key is valid
  1  every key has a verdict, and at least one is not valid
  2  at least one is undetermined, or its line is malformed

Examples:
  muster keys check --file keys.csv --report outcome.csv
  muster keys check --file keys.csv --resume outcome.csv
  muster keys check --file - -p hetzner < keys.csv`

type OneOrMany = CheckOptions & Omit<CheckFileOptions, 'file'> & { readonly file?: string }

const ofOne = ['details', 'forZone', 'forAbility', 'part', 'partFile']

const ofFiles = ['report', 'yes', 'resume', 'only', 'stopAfterInvalid', 'atOnce', 'wait']

function refuseWithoutFile(command: Command): void {
  const given = ofFiles.find((name) => command.getOptionValueSource(name) === 'cli')
  const option = command.options.find((one) => one.attributeName() === given)
  if (option) command.error(`error: option '${option.flags}' goes only with --file.`)
}

export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,6}$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

/** A script must not take a mistyped option for an invalid credential. */
export function asUndetermined({ exitCode, code, message }: CommanderError): never {
  throw new CommanderError(exitCode === 0 ? 0 : undeterminedExitCode, code, message)
}
