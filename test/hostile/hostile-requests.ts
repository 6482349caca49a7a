import * as z from 'zod/mini'
import type { Endpoint } from '#lib/endpoint.ts'

export interface HostileRequest {
	as: 'admin' | 'user' | 'key' | null
	method: string
	path: string
	headers: Record<string, string>
	body: string | FormData | Uint8Array<ArrayBuffer> | undefined
}

/** The part of a JSON schema that the generators read. */
export interface Shape {
	type?: string
	enum?: unknown[]
	const?: unknown
	anyOf?: Shape[]
	items?: Shape
	properties?: Record<string, Shape>
	additionalProperties?: Shape | false
}

/** A placeholder in the JSON text for the number 1e309, which a JavaScript number cannot hold. */
const HUGE = '@huge@'

const HOSTILE_VALUES: readonly unknown[] = [
	'\0',
	'a\0b',
	'\ud800',
	'b\udc00',
	'x'.repeat(5000),
	'\u202e\u2028',
	"' or 1=1 --",
	'%',
	'__proto__',
	'constructor',
	'{"__proto__":1}',
	'-1',
	'1e309',
	'NaN',
	'abc',
	'',
	' ',
	'9'.repeat(30),
	'2026-02-31T25:61:00',
	'0000-01-01T00:00:00Z',
	'+275760-09-13T00:00:00',
	'{"var1":"\\u0000\\ud800"}',
	HUGE,
	-1,
	0,
	0.1,
	-0,
	2 ** 53,
	1e21,
	null,
	true,
	[],
	['a'],
	[[[['deep']]]],
	{},
	{ toString: 1, length: -1 },
	nested(2000),
]

const CONTENT_TYPES = [
	'text/plain',
	'application/x-www-form-urlencoded',
	'application/json; charset=utf-16',
	'x',
	'*/*',
]
const BROKEN_FORMS: readonly { type: string; body: string }[] = [
	{ type: 'multipart/form-data', body: 'no boundary' },
	{ type: 'multipart/form-data; boundary=', body: '--\r\n' },
	{ type: 'multipart/form-data; boundary=b', body: '' },
	{ type: 'multipart/form-data; boundary=b', body: '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\ncut' },
	{ type: 'multipart/form-data; boundary=b', body: '--b\r\nnonsense\0\r\n\r\n--b--' },
	{ type: 'multipart/form-data; boundary=b', body: '--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n--b--' },
]

function nested(depth: number): unknown {
	let value: unknown = []
	for (let level = 0; level < depth; level++) value = [value]
	return value
}

/**
 * Yields an endless series of requests generated from the contract: mostly of the right shape, each with a value that no screen
 * would send.
 */
export function* hostileRequests(endpoints: readonly Endpoint[], random: Random): Generator<HostileRequest, never> {
	for (;;) {
		for (const endpoint of endpoints) yield request(endpoint, random)
	}
}

/** Returns the role of the caller that an endpoint requires; null for a public one. */
export function roleFor({ access }: Endpoint): HostileRequest['as'] {
	if (access === 'public') return null
	return access === 'admin' || access === 'key' ? access : 'user'
}

function request(endpoint: Endpoint, random: Random): HostileRequest {
	const { method } = endpoint
	const as = roleFor(endpoint)
	const params = objectOf(endpoint.params, random)
	const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(params[name] ?? '1'))
	const query = Object.entries(objectOf(endpoint.query, random)).map(([name, value]) => `${name}=${encoded(value)}`)
	const path = query.length > 0 ? `${filled}?${query.join('&')}` : filled
	if (method === 'GET') return { as, method, path, headers: {}, body: undefined }
	return { as, method, path, ...payload(endpoint, random) }
}

function payload(endpoint: Endpoint, random: Random): Pick<HostileRequest, 'headers' | 'body'> {
	const isForm = endpoint.files !== undefined
	if (random.chance(isForm ? 0.3 : 0.03)) {
		const { type, body } = random.pick(BROKEN_FORMS)
		return { headers: { 'content-type': type }, body }
	}
	const fields = objectOf(endpoint.body, random)
	if (isForm && random.chance(0.9)) return { headers: {}, body: formOf(endpoint, fields, random) }
	const whole: unknown = random.chance(0.05) ? random.pick(HOSTILE_VALUES) : fields
	const body = random.chance(0.03) ? '{"cut' : (JSON.stringify(whole).replaceAll(`"${HUGE}"`, '1e309') ?? '')
	const type = random.chance(0.05) ? random.pick(CONTENT_TYPES) : 'application/json'
	return { headers: { 'content-type': type }, body: random.chance(0.05) ? '' : body }
}

function formOf(endpoint: Endpoint, fields: Record<string, unknown>, random: Random): FormData {
	const form = new FormData()
	for (const [name, value] of Object.entries(fields)) form.append(name, textOf(value))
	if (random.chance(0.1)) form.append(random.pick(['__proto__', 'constructor', 'toString']), 'x')
	const names = [...Object.keys(endpoint.files ?? {}), ...(random.chance(0.1) ? ['constructor', 'other'] : [])]
	for (const name of names) {
		if (random.chance(0.3)) continue
		const types = [...(endpoint.files?.[name]?.types ?? []), 'text/html']
		const bytes = random.pick(['', '\0\0', 'a,b\n1,2', 'PK\u0003\u0004', '\u0089PNG'])
		const filename = random.pick(['a.csv', 'a.xlsx', '../../a', '', 'a\0.xlsx', 'ज.pdf'])
		form.append(name, new File([bytes], filename, { type: random.pick(types) }))
	}
	return form
}

function objectOf(shape: z.ZodMiniType | undefined, random: Random): Record<string, unknown> {
	if (!shape) return {}
	const { properties = {} } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Shape
	const entries = Object.entries(properties).map(([name, part]): [string, unknown] => [name, fieldOf(part, random)])
	return Object.fromEntries(entries.filter(() => random.chance(0.95)))
}

/** Returns a hostile value for one field in six, so that most requests pass the first check. */
function fieldOf(shape: Shape, random: Random): unknown {
	return random.chance(1 / 6) ? random.pick(HOSTILE_VALUES) : valueOf(shape, random, fieldOf)
}

/** Returns a value of the right shape throughout. */
export function validOf(shape: Shape, random: Random): unknown {
	return valueOf(shape, random, validOf)
}

function valueOf(shape: Shape, random: Random, inner: (shape: Shape, random: Random) => unknown): unknown {
	if (shape.const !== undefined) return shape.const
	if (shape.enum) return random.pick(shape.enum)
	if (shape.anyOf) return valueOf(random.pick(shape.anyOf), random, inner)
	if (shape.type === 'array') return Array.from({ length: random.below(4) }, () => inner(shape.items ?? {}, random))
	if (shape.type === 'object') {
		const parts = Object.entries(shape.properties ?? {})
		return Object.fromEntries(parts.map(([name, part]) => [name, inner(part, random)]))
	}
	if (shape.type === 'boolean') return random.chance(0.5)
	if (shape.type === 'integer' || shape.type === 'number') return random.below(20)
	// Ids are texts too; records with low ids often exist.
	return random.pick([
		String(1 + random.below(8)),
		`person${random.below(9)}@example.com`,
		'A name',
		'9876543210',
		'{}',
	])
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return value === HUGE ? '1e309' : value
	return JSON.stringify(value) ?? ''
}

/** Returns a percent-encoded value. Half a surrogate pair becomes bytes that are not UTF-8. */
function encoded(value: unknown): string {
	const text = textOf(value).slice(0, 3000)
	return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'
}

export interface Random {
	below(end: number): number
	chance(share: number): boolean
	pick<T>(list: readonly T[]): T
}

/** Returns random numbers, the same sequence for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
	let state = seed
	const next = () => {
		state = (state + 0x6d2b79f5) | 0
		let mixed = Math.imul(state ^ (state >>> 15), state | 1)
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
	}
	return {
		below: (end) => Math.floor(next() * end),
		chance: (share) => next() < share,
		pick(list) {
			const index = Math.floor(next() * list.length)
			return list[index] as (typeof list)[number]
		},
	}
}
