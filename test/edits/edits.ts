import { longSleep } from './agent.ts'
import { mapProgram, type Program, type ReadStatement, type SleepStatement, type Statement, type ToolStatement } from './program.ts'

/** A change of the agent's code. */
export interface Edit {
  readonly name: string
  /** The statements it works on: two edits of the same ones make no sensible pair. */
  readonly touches: readonly string[]
  readonly apply: (program: Program) => Program
}

/** Every edit of the matrix. */
export const edits: readonly Edit[] = [
  remove('open', 'the first tool'),
  remove('look-b', 'one of the raced tools'),
  remove('notify', 'the last of the raced tools, a write'),
  remove('quote', 'the tool that races a sleep'),
  remove('refund', 'a write in the middle'),
  remove('poll', 'the first of two equal calls'),
  remove('poll-again', 'the second of two equal calls'),
  remove('sum', 'the model call that sums up'),
  remove('close', 'the call before the last'),
  remove('archive', 'the last call'),

  add('before the first call', { before: 'ask' }, extraCall('extra-first')),
  add('between the model and the first tool', { before: 'open' }, extraCall('extra-between')),
  add('between two tools', { after: 'refund' }, extraCall('extra-middle')),
  add('before the model sums up', { before: 'sum' }, extraCall('extra-late')),
  add('after the last call', { after: 'archive' }, extraCall('extra-last')),
  add('behind one of the raced tools', { after: 'look-b' }, extraCall('extra-behind')),
  addBranch('beside the raced tools', 'five', [extraCall('extra-beside')]),

  repeat('open', 'the first tool'),
  repeat('look-a', 'one of the raced tools'),
  repeat('refund', 'a write'),
  repeat('poll-again', 'the second of two equal calls'),
  repeat('ask', 'the model call that is tried three times'),
  repeat('archive', 'the last call'),

  changeArgument('open', 'team', 'sales'),
  changeArgument('look-b', 'item', 'z'),
  changeArgument('quote', 'currency', 'EUR'),
  changeArgument('refund', 'amount', '43'),
  changeArgument('poll-again', 'view', 'short'),
  changeArgument('close', 'reason', 'given up'),
  change('the prompt of the first model call changed', ['ask'], (statement) =>
    statement.id === 'ask' && statement.kind === 'model' ? [{ ...statement, prompt: 'Look into it, please.' }] : [statement],
  ),
  change('the prompt of the last model call changed', ['sum'], (statement) =>
    statement.id === 'sum' && statement.kind === 'model' ? [{ ...statement, prompt: 'Sum up, please.' }] : [statement],
  ),
  change('one retry less', ['ask'], (statement) =>
    statement.id === 'ask' && statement.kind === 'model' ? [{ ...statement, retries: 1 }] : [statement],
  ),

  swap('refund', 'poll'),
  swap('sum', 'close'),
  swapBranches('two raced reads swapped', 'five', 0, 1),
  swapBranches('two raced writes swapped', 'five', 3, 4),

  change('the raced tools made sequential', ['five', 'look-a', 'look-b', 'price', 'reserve', 'notify'], (statement) =>
    statement.id === 'five' && statement.kind === 'parallel' ? statement.branches.flat() : [statement],
  ),
  parallelize('a write and a poll made parallel', 'refund', 'poll'),
  parallelize('the last model call and the last tool made parallel', 'sum', 'close'),

  add('a short sleep before a write', { before: 'refund' }, sleep('nap', 3)),
  add('a long sleep before a write', { before: 'refund' }, sleep('rest', longSleep)),
  add('a long sleep before the raced tools', { before: 'five' }, sleep('rest-five', longSleep)),
  add('a long sleep between two polls', { after: 'poll' }, sleep('rest-poll', longSleep)),
  add('a long sleep before the model sums up', { before: 'sum' }, sleep('rest-sum', longSleep)),
  add('a short sleep before one of the raced tools', { before: 'look-b' }, sleep('nap-branch', 2)),
  add('a long sleep before one of the raced tools', { before: 'price' }, sleep('rest-branch', longSleep)),
  add('a long sleep behind one of the raced tools', { after: 'look-a' }, sleep('rest-behind', longSleep)),
  add('a long sleep at the end', { after: 'archive' }, sleep('rest-end', longSleep)),
  drop('pause', 'the sleep before a write removed'),
  drop('patience', 'the sleep that races a tool removed'),
  lengthen('pause'),
  lengthen('patience'),

  add('a clock read before the first call', { before: 'ask' }, read('clock', 'early-clock')),
  add('a clock read before one that is used', { before: 'opened' }, read('clock', 'clock-before')),
  add('a clock read behind one that is used', { after: 'opened' }, read('clock', 'clock-behind')),
  add('a clock read between two tools', { after: 'refund' }, read('clock', 'clock-middle')),
  add('a random draw before one that is used', { before: 'nonce' }, read('random', 'draw-before')),
  add('a random draw behind one that is used', { after: 'nonce' }, read('random', 'draw-behind')),
  add('a random draw between two tools', { after: 'poll' }, read('random', 'draw-middle')),
  add('a random draw before the model is asked', { before: 'sum' }, read('random', 'draw-sum')),
  // With another read added beside it there would be as many as before: which is which nobody could tell.
  { ...drop('unused-clock', 'a clock read before one that is used removed'), touches: ['unused-clock', 'opened'] },
  { ...drop('unused-random', 'a random draw before one that is used removed'), touches: ['unused-random', 'nonce'] },
  drop('unused-draw', 'a random draw between two tools removed'),
  drop('unused-time', 'a clock read between two tools removed'),
]

/** Every pair of edits that do not work on the same statements. */
export function sensiblePairs(all: readonly Edit[]): Edit[] {
  return all.flatMap((first, index) =>
    all.slice(index + 1).flatMap((second) => (second.touches.some((id) => first.touches.includes(id)) ? [] : [pair(first, second)])),
  )
}

function change(name: string, touches: readonly string[], edit: (statement: Statement) => readonly Statement[]): Edit {
  return { name, touches, apply: (program) => mapProgram(program, edit) }
}

function remove(id: string, what: string): Edit {
  return change(`${what} (${id}) removed`, [id], (statement) => (statement.id === id ? [] : [statement]))
}

function drop(id: string, name: string): Edit {
  return change(name, [id], (statement) => (statement.id === id ? [] : [statement]))
}

function add(where: string, place: { readonly before: string } | { readonly after: string }, added: Statement): Edit {
  const name = added.kind === 'tool' ? `a call added ${where}` : `${where} added`
  const id = 'before' in place ? place.before : place.after
  return change(name, [id], (statement) => {
    if (statement.id !== id) return [statement]
    return 'before' in place ? [added, statement] : [statement, added]
  })
}

function addBranch(where: string, id: string, branch: Program): Edit {
  return change(`a call added ${where}`, [id], (statement) =>
    statement.id === id && statement.kind === 'parallel' ? [{ ...statement, branches: [...statement.branches, branch] }] : [statement],
  )
}

function repeat(id: string, what: string): Edit {
  return change(`${what} (${id}) repeated`, [id], (statement) =>
    statement.id === id ? [statement, { ...statement, id: `${id}-repeated` }] : [statement],
  )
}

function changeArgument(id: string, argument: string, value: string): Edit {
  return change(`the ${argument} of ${id} changed`, [id], (statement) =>
    statement.id === id && statement.kind === 'tool'
      ? [{ ...statement, arguments: { ...statement.arguments, [argument]: value } }]
      : [statement],
  )
}

function swap(first: string, second: string): Edit {
  const apply = (program: Program): Program =>
    mapProgram(program, (statement) => {
      if (statement.id === first) return find(program, second)
      return statement.id === second ? find(program, first) : [statement]
    })
  return { name: `${first} and ${second} swapped`, touches: [first, second], apply }
}

/** The second is done with the first, and no longer where it was. */
function parallelize(name: string, first: string, second: string): Edit {
  const apply = (program: Program): Program =>
    mapProgram(program, (statement) => {
      if (statement.id === second) return []
      return statement.id === first ? [{ kind: 'parallel', id: 'both', branches: [[statement], find(program, second)] }] : [statement]
    })
  return { name, touches: [first, second], apply }
}

/** The statement of an id, if the program has it. */
function find(program: Program, id: string): Program {
  const found: Statement[] = []
  mapProgram(program, (statement) => {
    if (statement.id === id) found.push(statement)
    return [statement]
  })
  return found
}

function swapBranches(name: string, id: string, first: number, second: number): Edit {
  return change(name, [id], (statement) => {
    if (statement.id !== id || statement.kind !== 'parallel') return [statement]
    const branches = [...statement.branches]
    ;[branches[first], branches[second]] = [branches[second] ?? [], branches[first] ?? []]
    return [{ ...statement, branches }]
  })
}

function lengthen(id: string): Edit {
  return change(`${id} lengthened`, [id], (statement) =>
    statement.id === id && statement.kind === 'sleep' ? [{ ...statement, milliseconds: longSleep }] : [statement],
  )
}

function extraCall(id: string): ToolStatement {
  return { kind: 'tool', id, name: 'audit', arguments: { what: id } }
}

function sleep(id: string, milliseconds: number): SleepStatement {
  return { kind: 'sleep', id, milliseconds }
}

function read(kind: ReadStatement['kind'], id: string): ReadStatement {
  return { kind, id }
}

/** Two edits as one. */
function pair(first: Edit, second: Edit): Edit {
  return {
    name: `${first.name}; ${second.name}`,
    touches: [...first.touches, ...second.touches],
    apply: (program) => second.apply(first.apply(program)),
  }
}
