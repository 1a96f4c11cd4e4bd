import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { printValue } from '../../divergence/print-value.ts'
import { isErrorObject } from '../../trace/error-parts.ts'
import { HandleValue } from '../../trace/handle-value.ts'
import type { PathKey } from '../../trace/json.ts'
import { toPath } from '../../trace/path.ts'
import { UnkeptValue } from '../../trace/unkept-value.ts'
import { CopyButton } from './copy-button.tsx'
import { counted, formatCount } from './format.ts'
import { Text } from './text.tsx'

/** The number of fields or items that are shown at first. */
const SHOWN = 100

/** A value with at most this many fields, and at most two levels deep, starts unfolded. */
const openFields = 24

/** A value as a tree. @param root The start of copied paths. */
export function ValueTree({ value, root = '' }: { readonly value: unknown; readonly root?: string }): JSX.Element {
  const fields = fieldsOf(value)
  return (
    <div class="tree">
      {fields === undefined || fields.length === 0 ? <Leaf value={value} /> : <Fields fields={fields} keys={[]} root={root} />}
    </div>
  )
}

type FieldList = readonly (readonly [PathKey, unknown])[]

/** The fields of an object, one per line. */
function Fields({ fields, keys, root }: { readonly fields: FieldList } & Pick<BranchProps, 'keys' | 'root'>): JSX.Element {
  const [shown, show] = useState(SHOWN)
  return (
    <>
      {fields.slice(0, shown).map(([key, field]) => (
        <Branch key={key} value={field} keys={[...keys, key]} root={root} isOpen={keys.length < 2 && fields.length <= openFields} />
      ))}
      {fields.length > shown && (
        <button type="button" class="more" onClick={() => show(shown + 1000)}>
          … {formatCount(fields.length - shown)} more
        </button>
      )}
    </>
  )
}

interface BranchProps {
  readonly value: unknown
  readonly keys: readonly PathKey[]
  readonly root: string
  readonly isOpen: boolean
}

function Branch({ value, keys, root, isOpen }: BranchProps): JSX.Element {
  const [open, setOpen] = useState(isOpen)
  const name = keys.at(-1) ?? ''
  const label = <span class="key">{typeof name === 'number' ? name : <Text value={keyText(name)} limit={200} />}</span>
  const path = toPath(keys, root)
  const copy =
    path === '' ? undefined : (
      <CopyButton text={path} label={`Copy the path ${path.slice(0, 200)}`}>
        path
      </CopyButton>
    )
  const fields = fieldsOf(value)
  if (fields === undefined || fields.length === 0) {
    return (
      <div class="leaf">
        {label} <Leaf value={value} /> {copy}
      </div>
    )
  }
  const isList = Array.isArray(value)
  const summary = isList ? counted(fields.length, 'item') : printValue(value, 60)
  return (
    <div class="branch">
      <span class="leaf">
        <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          {label} <span class="muted">{open ? (isList ? `[${fields.length}]` : '{ }') : summary}</span>
        </button>{' '}
        {copy}
      </span>
      {open && (
        <div class="fields">
          <Fields fields={fields} keys={keys} root={root} />
        </div>
      )}
    </div>
  )
}

function Leaf({ value }: { readonly value: unknown }): JSX.Element {
  if (typeof value !== 'string') {
    const kind = value === null || value === undefined ? 'nothing' : typeof value
    return <span class={`value ${value instanceof UnkeptValue ? 'unkept' : kind}`}>{printValue(value, 2000)}</span>
  }
  return (
    <span class="value string">
      "<Text value={value} />"
    </span>
  )
}

/** Quotes a key that is empty, or that begins or ends with invisible characters. */
function keyText(key: string): string {
  return key.trim() === key && key !== '' ? key : JSON.stringify(key)
}

/** Returns the fields of an object, or the items of an array; undefined for values without any. */
function fieldsOf(value: unknown): FieldList | undefined {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [index, item] as const)
  if (value instanceof Map) return [...value].map(([key, field]) => [typeof key === 'string' ? key : printValue(key, 60), field] as const)
  if (value instanceof Set) return [...value].map((item: unknown, index) => [index, item] as const)
  if (value instanceof HandleValue) return typeof value.parts === 'number' ? undefined : fieldsOf(value.parts.fields)
  if (isErrorObject(value)) return [['name', value.name], ['message', value.message], ...Object.entries(value)]
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)
  return isPlain ? Object.entries(value).filter(([, field]) => field !== undefined) : undefined
}
