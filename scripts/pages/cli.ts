import type { Command } from 'commander'
import { createProgram } from '../../cli/program.ts'

/** The text of docs/cli.md: the help of every command. */
export function cliPage(): string {
  const program = createProgram()
  return `# The command line

Generated from \`cli/program.ts\` by \`npm run generate\`: the text of \`--help\` for each command.

In a checkout it is \`npx muster <command>\`. Commands that need the database work beside a running service, or start the embedded one, use it
and stop it. The result goes to standard output and nothing else does; hints, prompts and faults go to standard error. A fault that could be foreseen is
a sentence, and the exit code is then 1 (\`keys check\`: 2); 130 is Ctrl-C. Colours are for terminals, and \`NO_COLOR\` switches them off. Secrets are asked for or read
from standard input, and never are arguments.

${[program, ...leavesOf(program)].map(section).join('\n')}`
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leavesOf(child) : [child]))
}

function section(command: Command): string {
  return `## ${pathOf(command)}\n\n\`\`\`text\n${helpOf(command).trimEnd()}\n\`\`\`\n`
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function helpOf(command: Command): string {
  let text = ''
  const keep = (piece: string) => {
    text += piece
  }
  command.configureOutput({ writeOut: keep, getOutHelpWidth: () => 100, getOutHasColors: () => false })
  command.outputHelp()
  return text
}
