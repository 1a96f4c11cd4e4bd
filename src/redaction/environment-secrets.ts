import { formsOf, type Variables } from '../node/variables.ts'
import { isCredentialVariable, isDrawn } from './credential-fields.ts'
import { findsNothing, type Rule } from './rule.ts'

/** Lets a redactor know what the environment calls a credential. It finds nothing by itself. */
export const environmentVariable: Rule = { name: 'environment-variable', hint: findsNothing, knowsEnvironment: true, find: () => [] }

/** Where a shell is, and where a file with credentials is: paths are no secrets. */
const folders = /^(?:OLD)?PWD$|_CWD$/
const aPath = /^(?:~|\.{1,2})?\/[\w.@ -]+\/|^[A-Za-z]:\\/

/** Returns the values of variables that hold credentials, by their names. They are secret wherever they occur. Plain words and paths are not. */
export function environmentSecrets({ values }: Variables): string[] {
  return Object.keys(values).flatMap((name) => {
    const value = values[name] ?? ''
    return isCredentialVariable(name) && !folders.test(name) && isDrawn(value) && !aPath.test(value) ? [...formsOf(value)] : []
  })
}
