import { expect, it } from 'vitest'
import { redactionOf } from '../../src/redaction/redaction-of.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { numberedValue } from '../support/numbered-stand-ins.ts'
import { createRuleSet, recordedRuleSet } from '../../src/redaction/rule-set.ts'

const key = 'kX9vQ2mL7pRt4WzB8nYc06Aa'

it.each([
  ['two items', ['--password', 'swordfish']],
  ['a subcommand before it', ['login', '--password', 'swordfish']],
  ['other options around it', ['login', '--username', 'bob', '--password', 'Quitten03saft', '--verbose']],
  ['a key', ['deploy', '--api-key', key]],
  ['a token', ['deploy', '--token', key, 'prod']],
  ['a secret', ['deploy', '--client-secret', key, 'prod']],
  ['one dash', ['keytool', '-list', '-password', 'swordfish']],
  ['a user of curl', ['curl', '-u', 'bob:kX9vQ2mL', 'http://127.0.0.1:1']],
  ['a user of curl in two items', ['-u', 'bob:kX9vQ2mL']],
  ['a user of curl by its long name', ['-s', '--user', 'bob@shop.example:s3cret!', 'http://127.0.0.1:1']],
])('finds the value of an option in a list of arguments with %s', (_, args) => {
  const redactor = createRedactor()
  const redacted = redactor.value({ command: 'x', args })
  expect(JSON.stringify(redacted)).not.toMatch(/swordfish|Quitten|kX9v|s3cret/)
  expect(redactor.value(redacted)).toEqual(redacted)
})

it.each([
  ['JSON', JSON.stringify({ args: ['login', '--password', 'swordfish', '-u', 'bob:kX9vQ2mL'] })],
  ['JSON within JSON', JSON.stringify({ arguments: JSON.stringify({ args: ['--token', key, '--user', 'bob:kX9vQ2mL'] }) })],
  ['printed JSON', JSON.stringify(['login', '--api-key', key], undefined, 2)],
])('finds the value of an option in a list within %s', (_, text) => {
  const redactor = createRedactor()
  const redacted = redactor.text(text)
  expect(redacted).not.toMatch(/swordfish|kX9v/)
  expect(redactor.text(redacted)).toBe(redacted)
})

it('finds the value of an option in a list within JSON that arrives character by character', () => {
  const text = JSON.stringify({ args: ['login', '--password', 'swordfish', '-u', 'bob:kX9vQ2mL', '--token', key] })
  const pieces: string[] = []
  const body = redactionOf(createRedactor(), 'application/json')
  for (const character of text) body.add(character, (piece) => pieces.push(piece))
  body.end()
  expect(pieces.join('')).toBe(createRedactor().text(text))
})

it('keeps the name of a user, and gives a repeated value the same stand-in', () => {
  const args = ['-s', '-u', `bob:${key}`, '--token', key, 'https://shop.example']
  const redactor = createRedactor()
  expect(numberedValue(redactor.value(args), redactor.standIns)).toEqual([
    '-s',
    '-u',
    'bob:REDACTED00001',
    '--token',
    'REDACTED00001',
    'https://shop.example',
  ])
})

it.each([
  ['options without values', ['psql', '--no-password', 'orders2', '--ask-password', 'archive3']],
  ['an option after an option', ['login', '--password', '--verbose']],
  ['words of a token', ['--token', 'whatever', 'more']],
  ['a cursor', ['list', '--page-token', key]],
  ['numbers of options', ['--max-tokens', '4096', '--token-limit', '100000']],
  ['a file with a password', ['login', '--password-file', '/run/secrets/db2', '--password-stdin']],
  ['a user and a group', ['docker', 'run', '-u', '1000:1000', '--user', 'node:node', 'alpine']],
  ['a user', ['sudo', '-u', 'deploy2', 'make']],
  ['placeholders', ['deploy', '--api-key', '$API_KEY', '--password', '<password>']],
  ['items that no option precedes', ['password', 'Quitten03saft', 'token', 'again']],
])('leaves %s in a list of arguments as they are', (_, args) => {
  expect(createRedactor().value({ args })).toEqual({ args })
  expect(createRedactor().text(JSON.stringify({ args }))).toBe(JSON.stringify({ args }))
})

it('leaves an item alone if the trace was recorded without the rule', () => {
  const { record } = createRuleSet({ off: ['credential-option'] })
  const args = ['login', '--password', 'swordfish']
  expect(createRedactor({ ruleSet: recordedRuleSet({ ...record, standIns: 0 }) }).value(args)).toEqual(args)
})
