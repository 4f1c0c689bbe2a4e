// florin completion: generates a shell script from the command tree, so it covers every command,
// option and choice.

import type { Command } from 'commander'
import { quote } from './shell-word.ts'
import { print, printJson } from './terminal.ts'

const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function printCompletion(program: Command, shell: Shell, options: { json?: true }): void {
  const script = writers[shell](listCompletionPoints(program))
  if (options.json) printJson({ shell, script })
  else print(script)
}

/** A node of the command tree, and the words that can follow it. */
interface CompletionPoint {
  /** Such as `admin create`; empty at the root. */
  words: string
  next: Word[]
}

interface Word {
  text: string
  about: string
}

function listCompletionPoints(command: Command, before: string[] = []): CompletionPoint[] {
  const commands = command.commands.filter((one) => !isHidden(one))
  const words = [
    ...commands.map((one) => ({ text: one.name(), about: one.description() })),
    ...command.registeredArguments.flatMap((argument) =>
      (argument.argChoices ?? []).map((text) => ({ text, about: '' })),
    ),
    ...command.options
      .filter((option) => !option.hidden && option.long !== undefined)
      .map((option) => ({ text: option.long!, about: option.description })),
    { text: '--help', about: 'Print help' },
  ]
  const inside = commands.flatMap((one) => listCompletionPoints(one, [...before, one.name()]))
  return [{ words: before.join(' '), next: words }, ...inside]
}

function isHidden(command: Command): boolean {
  return (command as Command & { _hidden?: boolean })._hidden === true
}

const listed = ({ next }: CompletionPoint) => next.map(({ text }) => text).join(' ')

function writeBash(points: CompletionPoint[]): string {
  const cases = points.map((point) => `    ${quote(point.words)}) next=${quote(listed(point))} ;;`)
  return `# florin completion for bash: eval "$(florin completion bash)"
_florin() {
  local point='' word next=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *) case " ${commandPaths(points)} " in
        *" \${point:+\${point// /_}_}$word "*) point="\${point:+$point }$word" ;;
      esac ;;
    esac
  done
  case "$point" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _florin florin
`
}

/** All command paths, joined by underscores: `admin admin_create`. */
function commandPaths(points: CompletionPoint[]): string {
  return points
    .map(({ words }) => words.replaceAll(' ', '_'))
    .filter((words) => words !== '')
    .join(' ')
}

function writeZsh(points: CompletionPoint[]): string {
  const cases = points.map((point) => {
    const described = point.next.map(({ text, about }) => quote(about ? `${text}:${about}` : text))
    return `    ${quote(point.words)}) next=(${described.join(' ')}) ;;`
  })
  return `#compdef florin
# florin completion for zsh: source <(florin completion zsh)
_florin() {
  local point='' word
  local -a next
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in
      -*) ;;
      *) case " ${commandPaths(points)} " in
        *" \${point:+\${point// /_}_}$word "*) point="\${point:+$point }$word" ;;
      esac ;;
    esac
  done
  case "$point" in
${cases.join('\n')}
  esac
  _describe florin next
}
compdef _florin florin
`
}

function writeFish(points: CompletionPoint[]): string {
  const lines = points.flatMap(({ words, next }) =>
    next.map(({ text, about }) => {
      const here = `-n ${quote(`__florin_is_at ${quote(words)}`)}`
      const what = text.startsWith('--') ? `-l ${text.slice(2)}` : `-a ${text}`
      return `complete -c florin ${here} -f ${what}${about && ` -d ${quote(about)}`}`
    }),
  )
  return `# florin completion for fish: florin completion fish | source
function __florin_is_at
  set -l point
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    set -l longer (string join _ $point $word)
    contains -- $longer ${commandPaths(points)}; and set -a point $word
  end
  test "$point" = "$argv[1]"
end
${lines.join('\n')}
`
}

const writers: Record<Shell, (points: CompletionPoint[]) => string> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
}
