import { STATUS_CODES } from 'node:http'
import * as z from 'zod/mini'
import { isFileResponse, type Endpoint } from '../endpoint.ts'

interface Description {
	title: string
	/** What every error of the API is, where that is described. */
	problem?: z.ZodMiniType
}

/** The OpenAPI 3.1 description of a contract: the same values that are mounted and called. */
export function openApi(
	contract: Record<string, Record<string, Endpoint>>,
	{ title, problem }: Description,
): Record<string, unknown> {
	const paths: Record<string, Record<string, unknown>> = {}
	for (const [feature, endpoints] of Object.entries(contract)) {
		for (const [name, endpoint] of Object.entries(endpoints)) {
			paths[endpoint.path] ??= {}
			Object.assign(paths[endpoint.path] ?? {}, {
				[endpoint.method.toLowerCase()]: operation(`${feature}.${name}`, endpoint, problem !== undefined),
			})
		}
	}
	return {
		openapi: '3.1.0',
		info: { title, version: '1' },
		components: {
			securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
			...(problem && { responses: { Problem: problemResponse(problem) } }),
		},
		paths,
	}
}

function operation(id: string, endpoint: Endpoint, hasProblem: boolean): Record<string, unknown> {
	const { response, summary, scope, status = 200 } = endpoint
	const content = isFileResponse(response)
		? { [response.file]: { schema: { type: 'string', format: 'binary' } } }
		: { 'application/json': { schema: schema(response, 'output') } }
	return {
		operationId: id,
		tags: [id.split('.')[0]],
		...(summary !== undefined && { summary }),
		'x-access': endpoint.access,
		...(endpoint.access !== 'public' && { security: [{ bearer: scope === undefined ? [] : [scope] }] }),
		parameters: [
			...parameters(endpoint.params, 'path'),
			...parameters(endpoint.query, 'query'),
			...(endpoint.isRepeatable ? [IDEMPOTENCY_KEY] : []),
		],
		...(endpoint.body && { requestBody: { content: requestContent(endpoint) } }),
		responses: {
			[status]: { description: STATUS_CODES[status] ?? '', content },
			...(hasProblem && { default: { $ref: '#/components/responses/Problem' } }),
		},
	}
}

const IDEMPOTENCY_KEY = {
	name: 'Idempotency-Key',
	in: 'header',
	required: false,
	description:
		'A text of your own. A request that is sent again with it within 24 hours is answered as the first one was.',
	schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function problemResponse(problem: z.ZodMiniType): Record<string, unknown> {
	const content = { 'application/problem+json': { schema: schema(problem, 'output') } }
	return { description: 'What went wrong', content }
}

function requestContent(endpoint: Endpoint): Record<string, unknown> {
	const body = schema(endpoint.body, 'input')
	if (!endpoint.files) return { 'application/json': { schema: body } }
	const files = Object.fromEntries(
		Object.keys(endpoint.files).map((field) => [field, { type: 'string', format: 'binary' }]),
	)
	const properties = { ...(body.properties as Record<string, unknown>), ...files }
	return { 'multipart/form-data': { schema: { ...body, properties } } }
}

function parameters(shape: z.ZodMiniType | undefined, place: 'path' | 'query'): Record<string, unknown>[] {
	if (!shape) return []
	const { properties = {}, required = [] } = schema(shape, 'input') as {
		properties?: Record<string, unknown>
		required?: string[]
	}
	return Object.entries(properties).map(([name, value]) => ({
		name,
		in: place,
		required: place === 'path' || required.includes(name),
		schema: value,
	}))
}

function schema(shape: z.ZodMiniType | undefined, io: 'input' | 'output'): Record<string, unknown> {
	return shape ? { ...z.toJSONSchema(shape, { io, unrepresentable: 'any' }) } : {}
}
