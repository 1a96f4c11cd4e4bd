import { expectTypeOf } from 'vitest'
import type { z } from 'zod'

import type { EncodedCall, EncodedChunk, EncodedReads, EncodedReturn, EncodedRow } from '../../src/trace/codec/encoded-rows.ts'
import type { Json } from '../../src/trace/json.ts'
import type { CallRow, Row } from '../../src/trace/rows.ts'
import type { rowSchema } from '../../scripts/trace-schema.ts'

// Checked by the compiler: `npm run check`. That the schema has every field of these types is held by schema.test.ts.

expectTypeOf<EncodedRow['kind']>().toEqualTypeOf<Row['kind'] | 'text'>()
expectTypeOf<z.output<typeof rowSchema>>().toEqualTypeOf<EncodedRow>()

expectTypeOf<Omit<EncodedCall, 'input' | 'agentInput'>>().toEqualTypeOf<Omit<CallRow, 'input' | 'agentInput'>>()
expectTypeOf<EncodedCall['input']>().toEqualTypeOf<Json>()
expectTypeOf<EncodedCall['agentInput']>().toEqualTypeOf<Json | undefined>()
expectTypeOf<EncodedReturn['output']>().toEqualTypeOf<Json | undefined>()
expectTypeOf<EncodedReads['random']>().toEqualTypeOf<string | undefined>()
expectTypeOf<EncodedChunk['bytes']>().toEqualTypeOf<string | undefined>()

// @ts-expect-error A reference stands for a value, it is none of the boundaries.
expectTypeOf<EncodedCall['boundary']>().toEqualTypeOf<string>()
// @ts-expect-error An encoded row holds JSON only.
expectTypeOf<Date>().toExtend<EncodedCall['input']>()
