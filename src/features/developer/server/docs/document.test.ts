import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '#app/contract.ts'
import { Problem } from '#features/developer/v1-fields.ts'
import { deliveryOf } from '#features/developer/webhook-events.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import { EVENT_TYPES, type EventType } from '#lib/events.ts'
import { describeV1 } from './document.ts'

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
const { openapi, paths, tags, webhooks, components } = describeV1() as {
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

test('every example of the OpenAPI document is one that its call takes and answers', () => {
	for (const [name, endpoint] of CALLS) {
		const { requestBody, responses } = operationOf(endpoint)
		const request = requestBody?.content['application/json']?.example
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

test('the OpenAPI document leaves room in answers and events for fields that are added later', () => {
	const answers = CALLS.map(([, endpoint]) => operationOf(endpoint).responses)
	assert.ok(!JSON.stringify({ answers, webhooks, components }).includes('"additionalProperties":false'))
})

test('the OpenAPI document lists the errors of a call with their codes, and every other one by default', () => {
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

test('the OpenAPI document describes every event that webhooks tell, with its data', () => {
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
