import { parseAst } from 'rolldown/parseAst'
import { type ESTree, Visitor } from 'rolldown/utils'

/** Code that a mutant can replace. Its original and its mutated text may contain other places. */
export interface Place {
  readonly start: number
  readonly end: number
  /** What the mutant changes, such as `=== to !==`. */
  readonly change: string
  /** Returns the mutant's code. */
  mutate(textOf: TextOf): string
  /** Returns code that acts as the mutant if the expression `isActive` is true, and otherwise as before. */
  write(isActive: string, textOf: TextOf): string
}

type TextOf = (range: Range) => string

interface Range {
  readonly start: number
  readonly end: number
}

const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '&&': '||',
  '||': '&&',
}

/** Finds the places of a TypeScript file, in no order. Types, imports, names and texts are not places. */
export function findPlaces(code: string, file: string): Place[] {
  const places: Place[] = []
  /** The starts of nodes that look like values but are not: literals in types, and keys of objects. */
  const names = new Set<number>()
  const statements = new Set<number>()

  const addExpression = (node: Range, change: string, mutate: Place['mutate']): void => {
    places.push({
      start: node.start,
      end: node.end,
      change,
      mutate,
      // A statement that begins with a bracket would continue the line before.
      write: (isActive, textOf) => `${statements.has(node.start) ? 'void 0, ' : ''}(${isActive} ? (${mutate(textOf)}) : (${textOf(node)}))`,
    })
  }
  const addOperator = (node: ESTree.BinaryExpression | ESTree.LogicalExpression): void => {
    const { left, operator, right } = node
    const other = operators[operator]
    if (operator === '??') addExpression(node, '?? without its right side', (textOf) => textOf(left))
    if (other === undefined || (operator === '+' && (isText(left) || isText(right)))) return
    addExpression(node, `${operator} to ${other}`, (textOf) => `((${textOf(left)}) ${other} (${textOf(right)}))`)
  }
  const addCondition = ({ test }: ESTree.IfStatement | ESTree.ConditionalExpression): void => {
    // The opposite operator has the same effect.
    if (test.type === 'BinaryExpression' && /^[!=]==$/.test(test.operator)) return
    addExpression(test, 'condition negated', (textOf) => `!(${textOf(test)})`)
  }

  new Visitor({
    TSLiteralType: ({ literal }) => {
      names.add(literal.start)
      if (literal.type === 'UnaryExpression') names.add(literal.argument.start)
    },
    Property: ({ key, computed }) => {
      if (!computed) names.add(key.start)
    },
    BinaryExpression: addOperator,
    LogicalExpression: addOperator,
    IfStatement: addCondition,
    ConditionalExpression: addCondition,
    WhileStatement: ({ test }) => {
      // Negated, the loop might never end.
      if (test.type !== 'Literal') addExpression(test, 'loop never entered', () => 'false')
    },
    ReturnStatement: ({ argument }) => {
      if (argument === null || (argument.type === 'Identifier' && argument.name === 'undefined')) return
      addExpression(argument, 'returns undefined', () => 'undefined')
    },
    Literal: (node) => {
      if (names.has(node.start)) return
      const { value } = node
      if (typeof value === 'boolean') addExpression(node, `${value} to ${!value}`, () => String(!value))
      if (typeof value === 'number') addExpression(node, `${value} to ${value + 1}`, () => String(value + 1))
    },
    ExpressionStatement: ({ start, expression }) => {
      statements.add(start)
      if (!isCall(expression)) return
      const { end } = expression
      const write = (isActive: string, textOf: TextOf): string => `${isActive} || ${textOf({ start, end })}`
      places.push({ start, end, change: 'call removed', mutate: () => '', write })
    },
    CallExpression: ({ callee, arguments: [argument] }) => {
      if (callee.type !== 'MemberExpression' || callee.computed || argument === undefined) return
      const { object, property, optional } = callee
      if (property.name === 'filter') addExpression(argument, 'filter lets all through', () => '() => true')
      if (property.name !== 'some' && property.name !== 'every') return
      const other = property.name === 'some' ? 'every' : 'some'
      const dot = optional ? '?.' : '.'
      const write = (isActive: string): string => `${optional ? dot : ''}[${isActive} ? '${other}' : '${property.name}']`
      const start = object.end + code.slice(object.end, property.start).lastIndexOf(dot)
      places.push({ start, end: property.end, change: `${property.name} to ${other}`, mutate: () => dot + other, write })
    },
  }).visit(parseAst(code, { lang: 'ts' }, file))
  return places
}

function isText(node: ESTree.Expression | ESTree.PrivateInExpression['left']): boolean {
  if (node.type === 'BinaryExpression') return isText(node.left) || isText(node.right)
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

function isCall(node: ESTree.Expression): boolean {
  if (node.type === 'AwaitExpression') return isCall(node.argument)
  if (node.type === 'ChainExpression') return isCall(node.expression)
  return node.type === 'CallExpression' && node.callee.type !== 'Super'
}
