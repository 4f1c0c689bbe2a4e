// florin completion: a script for the shell, made from the command line's own tree, so that it
// knows every command, option and choice there is.

import type { Command } from 'commander'
import { quote } from './shell-word.ts'
import { print, printJson } from './terminal.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function printCompletion(program: Command, shell: Shell, options: { json?: true }): void {
  const script = writers[shell](listCompletionPoints(program))
  if (options.json) printJson({ shell, script })
  else print(script)
}

/** A place in the tree: the words so far, and what may come next. */
interface CompletionPoint {
  /** `admin create`, or nothing at the root. */
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
    { text: '--help', about: 'print the help' },
  ]
  const inside = commands.flatMap((one) => listCompletionPoints(one, [...before, one.name()]))
  return [{ words: before.join(' '), next: words }, ...inside]
}

function isHidden(command: Command): boolean {
  return (command as Command & { _hidden?: boolean })._hidden === true
}

const listed = ({ next }: CompletionPoint) => next.map(({ text }) => text).join(' ')

function writeBash(places: CompletionPoint[]): string {
  const cases = places.map((place) => `    ${quote(place.words)}) next=${quote(listed(place))} ;;`)
  return `# florin completion for bash: eval "$(florin completion bash)"
_florin() {
  local place='' word next=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *) case " ${commandPaths(places)} " in
        *" \${place:+\${place// /_}_}$word "*) place="\${place:+$place }$word" ;;
      esac ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _florin florin
`
}

/** Which words lead further, each with those before it: `admin admin_create`. */
function commandPaths(places: CompletionPoint[]): string {
  return places
    .map(({ words }) => words.replaceAll(' ', '_'))
    .filter((words) => words !== '')
    .join(' ')
}

function writeZsh(places: CompletionPoint[]): string {
  const cases = places.map((place) => {
    const described = place.next.map(({ text, about }) => quote(about ? `${text}:${about}` : text))
    return `    ${quote(place.words)}) next=(${described.join(' ')}) ;;`
  })
  return `#compdef florin
# florin completion for zsh: source <(florin completion zsh)
_florin() {
  local place='' word
  local -a next
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in
      -*) ;;
      *) case " ${commandPaths(places)} " in
        *" \${place:+\${place// /_}_}$word "*) place="\${place:+$place }$word" ;;
      esac ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  _describe florin next
}
compdef _florin florin
`
}

function writeFish(places: CompletionPoint[]): string {
  const lines = places.flatMap(({ words, next }) =>
    next.map(({ text, about }) => {
      const here = `-n ${quote(`__florin_is_at ${quote(words)}`)}`
      const what = text.startsWith('--') ? `-l ${text.slice(2)}` : `-a ${text}`
      return `complete -c florin ${here} -f ${what}${about && ` -d ${quote(about)}`}`
    }),
  )
  return `# florin completion for fish: florin completion fish | source
function __florin_is_at
  set -l place
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    set -l longer (string join _ $place $word)
    contains -- $longer ${commandPaths(places)}; and set -a place $word
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`
}

const writers: Record<Shell, (places: CompletionPoint[]) => string> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
}
