import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '#app/contract.ts'
import { Problem } from '#features/developer/v1-fields.ts'
import { deliveryOf } from '#features/developer/webhook-events.ts'
import { EVENT_TYPES, type EventType } from '#features/events/rules.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import { describeV1 } from './document.ts'
import { ERRORS } from './errors.ts'

interface Media {
	content: Record<string, { example?: unknown; schema: object }>
}

interface Operation {
	operationId: string
	tags: string[]
	summary: string
	description: string
	security?: object[]
	requestBody?: Media
	responses: Record<string, Media & { description: string }>
}

const CALLS: [string, Endpoint][] = Object.entries(contract.v1)
const { openapi, info, paths, tags, webhooks, components } = describeV1() as {
	info: { description: string }
	components: object
	webhooks: Record<string, { post: { summary: string; requestBody: Media } }>
	openapi: string
	paths: Record<string, Record<string, Operation>>
	tags: { name: string }[]
}

function operationOf({ method, path }: Endpoint): Operation {
	const found = paths[path]?.[method.toLowerCase()]
	assert.ok(found, path)
	return found
}

test('the OpenAPI document names every call with its group, words, scope and status', () => {
	assert.equal(openapi, '3.1.0')
	for (const [name, endpoint] of CALLS) {
		const { operationId, summary, description, security, responses, ...found } = operationOf(endpoint)
		assert.equal(operationId, name)
		assert.ok(summary.length > 5 && summary.length < 40, `${name}: ${summary}`)
		assert.match(description, /^[A-Z].*\.$/s, name)
		assert.ok(
			tags.some((tag) => tag.name === found.tags[0]),
			name,
		)
		assert.ok(responses[String(endpoint.status ?? 200)], name)
		const scopes = [endpoint.scope, endpoint.widerScope].filter((scope) => scope !== undefined)
		assert.deepEqual(
			security ?? [],
			scopes.map((scope) => ({ bearer: [scope] })),
		)
	}
})

test('every example of the OpenAPI document is accepted by the shapes of its call', () => {
	for (const [name, endpoint] of CALLS) {
		const { requestBody, responses } = operationOf(endpoint)
		const request = Object.values(requestBody?.content ?? {})[0]?.example
		if (endpoint.body) assert.equal(endpoint.body.safeParse(request).error, undefined, name)
		const example = responses[String(endpoint.status ?? 200)]?.content['application/json']?.example
		assert.ok(example, name)
		assert.ok('safeParse' in endpoint.response && endpoint.response.safeParse(example).success, name)
	}
})

test('the OpenAPI document gives times that programs send the format of RFC 3339', () => {
	const { requestBody } = operationOf(contract.v1.createCampaign)
	const schema = requestBody?.content['application/json']?.schema as { properties: Record<string, object> } | undefined
	const { description: _, ...startsAt } = (schema?.properties['startsAt'] ?? {}) as Record<string, unknown>
	assert.deepEqual(startsAt, { type: 'string', maxLength: 40, format: 'date-time' })
})

test('the OpenAPI document allows additional fields in answers and events', () => {
	const answers = CALLS.map(([, endpoint]) => operationOf(endpoint).responses)
	assert.ok(!JSON.stringify({ answers, webhooks, components }).includes('"additionalProperties":false'))
})

test('the OpenAPI document lists the errors of a call with their codes, and a default for all others', () => {
	const { responses } = operationOf(contract.v1.sendMessage)
	assert.match(responses['402']?.description ?? '', /`insufficient_balance`/)
	const example = responses['402']?.content['application/problem+json']?.example
	assert.equal(Problem.parse(example).code, 'insufficient_balance')
	assert.match(responses['409']?.description ?? '', /`sender_stopped`.*`idempotency_key_reused`/s)
	for (const [name, endpoint] of CALLS) {
		const { responses: all } = operationOf(endpoint)
		assert.ok(all['default'], name)
		assert.deepEqual(
			['401', '403', '429'].every((status) => status in all),
			endpoint.access === 'key',
			name,
		)
	}
})

test('the OpenAPI document forbids unknown fields and parameters on every level of a request', () => {
	const open: string[] = []
	const walk = (schema: unknown, place: string): void => {
		if (typeof schema !== 'object' || schema === null) return
		const { type, additionalProperties } = schema as { type?: string; additionalProperties?: unknown }
		if (type === 'object' && (additionalProperties === undefined || additionalProperties === true)) open.push(place)
		for (const [name, part] of Object.entries(schema)) walk(part, `${place}.${name}`)
	}
	for (const [name, endpoint] of CALLS)
		walk(operationOf(endpoint).requestBody?.content['application/json']?.schema, name)
	assert.deepEqual(open, [])
})

test('the OpenAPI document names the headers of answers, and contains only phone numbers that belong to no person', () => {
	const { responses } = operationOf(contract.v1.sendMessage) as unknown as {
		responses: Record<string, { headers: object }>
	}
	assert.deepEqual(Object.keys(responses['202']?.headers ?? {}), ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'])
	assert.ok('Retry-After' in (responses['429']?.headers ?? {}))
	const numbers = JSON.stringify({ paths, webhooks, info }).match(/(?<![\d-])\+?\d{11,12}(?!\d)/g) ?? []
	// Ofcom reserves +44 7700 900000 to 900999 for films.
	assert.deepEqual(
		[...new Set(numbers)].filter((number) => !/^\+?447700900\d{3}$/.test(number)),
		[],
	)
	assert.ok(numbers.length > 10)
})

test('the guide names every problem code with its status, and the changes by day', () => {
	for (const [code, [status]] of Object.entries(ERRORS))
		assert.ok(info.description.includes(`| ${status} | \`${code}\` |`), code)
	assert.match(info.description, /\| 26 November 2026 \|/)
})

test('the OpenAPI document describes every event that webhooks send, with its data', () => {
	assert.deepEqual(Object.keys(webhooks), [...EVENT_TYPES])
	for (const [type, { post }] of Object.entries(webhooks)) {
		assert.ok(post.summary, type)
		const { schema, example } = post.requestBody.content['application/json'] ?? {}
		assert.equal(deliveryOf(type as EventType).safeParse(example).error, undefined, type)
		assert.ok(!JSON.stringify(example).includes('"string"'), type)
		const text = JSON.stringify(schema)
		assert.ok(text.includes(`"const":"${type}"`), type)
		assert.match(text, /"data":\{"type":"object"/)
	}
})
