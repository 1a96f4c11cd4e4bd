import { parseSync, Visitor } from 'rolldown/utils'

/**
 * Puts each statement and each member of a class on a line of its own. When a process ends with an uncaught error, Node prints the line that threw it,
 * so code without line breaks would fill the terminal.
 */
export function breakLines(file: string, code: string): string {
  const starts = new Set<number>()
  const collect = ({ body }: { readonly body: readonly { readonly start: number }[] }): void => {
    for (const { start } of body) starts.add(start)
  }
  new Visitor({ Program: collect, ClassBody: collect, BlockStatement: collect, StaticBlock: collect }).visit(parseSync(file, code).program)
  const places = [0, ...[...starts].filter((start) => start > 0).toSorted((one, other) => one - other)]
  return places.map((place, index) => code.slice(place, places[index + 1])).join('\n')
}
