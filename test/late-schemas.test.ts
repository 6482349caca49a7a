import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitSchemas } from '../scripts/build/late-schemas.ts'

const CONTRACT = `import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, PAGE_SIZE } from '#lib/fields.ts'
import type { Row } from './rows.ts'

const MAX_LENGTH = 100
export type Name = z.output<typeof Name>
export const Name = z.string().check(z.maxLength(MAX_LENGTH))
export function isShort(name: Name): boolean {
	return name.length < PAGE_SIZE
}
const one = { access: 'user', params: z.object({ id: Id }) } as const
export const things = {
	rename: endpoint('PUT /api/things/{id}', { ...one, body: Name, files: { file: Name }, response: z.object({ Id }) }),
	sheet: endpoint('GET /api/things/{id}/sheet', { ...one, response: { file: 'application/pdf' } }),
}
`

test('splitSchemas keeps endpoints without their schemas, and code without schemas, in the plain part', () => {
	const { plain } = splitSchemas(CONTRACT, 'contract.ts')
	assert.equal(
		plain,
		`import { endpoint as endpoint } from '#lib/endpoint.ts'
import { PAGE_SIZE as PAGE_SIZE } from '#lib/fields.ts'
const MAX_LENGTH = 100
export function isShort(name: Name): boolean {
	return name.length < PAGE_SIZE
}
const one = { access: 'user' } as const
export const things = {
	rename: endpoint('PUT /api/things/{id}', { ...one, files: {}, response: {} }),
	sheet: endpoint('GET /api/things/{id}/sheet', { ...one, response: { file: 'application/pdf' } }),
}
export { MAX_LENGTH }`,
	)
})

test('splitSchemas moves schemas to the other part, which imports what they use of the plain one', () => {
	const { schemas } = splitSchemas(CONTRACT, 'contract.ts')
	assert.equal(
		schemas,
		`import { MAX_LENGTH } from './contract.ts?plain'
import * as z from 'zod/mini'
export const Name = z.string().check(z.maxLength(MAX_LENGTH))`,
	)
})

test('splitSchemas keeps a schema among the values of an endpoint-like object that has no access', () => {
	const { schemas } = splitSchemas(
		"import { Id } from '#lib/fields.ts'\nexport const shapes = { body: Id }",
		'rules.ts',
	)
	assert.match(schemas, /import \{ Id as Id \} .*\nexport const shapes = \{ body: Id \}$/)
})

test('splitSchemas shares the names of a list of constants with the schemas that use them', () => {
	const code = `import * as z from 'zod/mini'
const [MIN, { max: MAX }] = [1, { max: 50 }]
export const Percent = z.int().check(z.minimum(MIN), z.maximum(MAX))`
	const { plain, schemas } = splitSchemas(code, 'rules.ts')
	assert.match(plain, /export \{ MIN, MAX \}$/)
	assert.match(schemas, /^import \{ MIN, MAX \} from '\.\/rules\.ts\?plain'/)
})
