import { classesOf, sourceOf } from './intrinsics.ts'
import { isPlatformClass } from './platform-classes.ts'

/** The private members of an instance, by the sources of its classes. */
export interface PrivateNames {
  /** Fields, whose values can be read. A name that is only mentioned in a comment or a text may be among them. */
  readonly fields: readonly string[]
  /** Getters and setters, which would run code. */
  readonly accessors: readonly string[]
}

/** The names of an instance's private members. No function of the language lists them, so they are looked for in the text of its classes. */
export function privateNames(instance: object): PrivateNames {
  const fields = new Set<string>()
  const accessors = new Set<string>()
  const methods = new Set<string>()
  for (const made of classesOf(instance)) {
    const source = isPlatformClass(made) ? '' : sourceOf(made)
    if (!source.startsWith('class')) continue
    for (const { 1: before = '', 2: name = '', 3: behind = '' } of source.matchAll(PRIVATE)) {
      if (/\b(?:get|set|accessor)\s+$/.test(before)) accessors.add(name)
      else if (!before.endsWith('.') && behind !== '') methods.add(name)
      else fields.add(name)
    }
  }
  return { fields: [...fields].filter((name) => !accessors.has(name) && !methods.has(name)), accessors: [...accessors] }
}

/** A private name with what is before it, and whether it is followed by arguments. */
const PRIVATE = /([\w\s.*]{0,12})(#[\p{ID_Start}$_][\p{ID_Continue}$]*)(\s*\()?/gu
