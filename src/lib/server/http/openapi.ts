import { STATUS_CODES } from 'node:http'
import * as z from 'zod/mini'
import { isFileResponse, isIdempotent, type Endpoint } from '#lib/endpoint.ts'

/** Documentation of one call for programmers. */
export interface OperationDocs {
	tag: string
	/** Examples of the request body and of the answer. */
	request?: unknown
	response: unknown
	/** Headers of every answer, each with its meaning. */
	headers?: Record<string, string>
	/** Errors of the call by status, with the headers that each adds. */
	errors: Record<number, { description: string; headers?: Record<string, string>; example: unknown }>
}

/** Documentation of a contract for programmers. */
export interface PublicApi {
	/** Rules of all calls, in Markdown. */
	introduction: string
	/** Groups of calls in their order, with a sentence about each. */
	tags: Record<string, string>
	/** Shape of every error, and an example of an error that any call can return. */
	problem: { shape: z.ZodMiniType; example: unknown }
	/** Returns the documentation of a call by its name in the contract. */
	docsOf: (name: string, endpoint: Endpoint) => OperationDocs
}

/** Returns the OpenAPI 3.1 description of a contract, from the same endpoints that the server mounts. */
export function openApi(
	contract: Record<string, Record<string, Endpoint>>,
	{ title, api }: { title: string; api?: PublicApi },
): Record<string, unknown> {
	const paths: Record<string, Record<string, unknown>> = {}
	for (const [feature, endpoints] of Object.entries(contract)) {
		for (const [name, endpoint] of Object.entries(endpoints)) {
			const described = api
				? documented(name, endpoint, api.docsOf(name, endpoint))
				: { ...operation(`${feature}.${name}`, endpoint), tags: [feature] }
			paths[endpoint.path] ??= {}
			Object.assign(paths[endpoint.path] ?? {}, { [endpoint.method.toLowerCase()]: described })
		}
	}
	return {
		openapi: '3.1.0',
		info: { title, version: '1', ...(api && { description: api.introduction }) },
		...(api && {
			servers: [{ url: '/' }],
			tags: Object.entries(api.tags).map(([name, description]) => ({ name, description })),
		}),
		components: {
			securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
			...(api && { schemas: { Problem: { ...schema(api.problem.shape, 'output'), example: api.problem.example } } }),
		},
		paths,
	}
}

function operation(operationId: string, endpoint: Endpoint): Record<string, unknown> {
	const { response, summary, description, scope, widerScope, status = 200 } = endpoint
	const scopes = [scope, widerScope].filter((one) => one !== undefined)
	const content = isFileResponse(response)
		? { [response.file]: { schema: { type: 'string', format: 'binary' } } }
		: { 'application/json': { schema: schema(response, 'output') } }
	return {
		operationId,
		...(summary !== undefined && { summary }),
		...(description !== undefined && { description }),
		'x-access': endpoint.access,
		...(endpoint.access !== 'public' && {
			security: scopes.length === 0 ? [{ bearer: [] }] : scopes.map((one) => ({ bearer: [one] })),
		}),
		parameters: [
			...parameters(endpoint.params, 'path'),
			...parameters(endpoint.query, 'query'),
			...(isIdempotent(endpoint) ? [IDEMPOTENCY_KEY] : []),
		],
		...(endpoint.body && { requestBody: { required: true, content: requestContent(endpoint) } }),
		responses: { [status]: { description: STATUS_CODES[status] ?? '', content } },
	}
}

/** Returns the OpenAPI operation of a call with its group, examples and errors. */
function documented(name: string, endpoint: Endpoint, docs: OperationDocs): Record<string, unknown> {
	const { requestBody, responses, ...rest } = operation(name, endpoint) as {
		requestBody?: { content: Record<string, object> }
		responses: Record<string, { description: string; content: Record<string, object> }>
	}
	const problems = Object.entries(docs.errors).map(([status, { description, headers, example }]) => [
		status,
		{
			description,
			...headersOf({ ...docs.headers, ...headers }),
			content: { 'application/problem+json': { schema: PROBLEM, example } },
		},
	])
	return {
		...rest,
		tags: [docs.tag],
		...(requestBody && {
			requestBody: { ...requestBody, content: withExample(requestBody.content, docs.request) },
		}),
		responses: {
			...Object.fromEntries(
				Object.entries(responses).map(([status, { description, content }]) => [
					status,
					{ description, ...headersOf(docs.headers), content: withExample(content, docs.response) },
				]),
			),
			...Object.fromEntries(problems),
			default: { description: 'Any other error', content: { 'application/problem+json': { schema: PROBLEM } } },
		},
	}
}

function headersOf(headers: Record<string, string> = {}): object {
	const described = Object.fromEntries(
		Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
	)
	return Object.keys(described).length === 0 ? {} : { headers: described }
}

function withExample(content: Record<string, object>, example: unknown): Record<string, object> {
	return Object.fromEntries(Object.entries(content).map(([type, media]) => [type, { ...media, example }]))
}

const PROBLEM = { $ref: '#/components/schemas/Problem' }

const IDEMPOTENCY_KEY = {
	name: 'Idempotency-Key',
	in: 'header',
	required: false,
	description:
		'A text of your own, new for each thing that is to happen once, such as the number of an order. A request that is sent again with it within 24 hours is answered as the first one was, and nothing happens twice.',
	schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function requestContent(endpoint: Endpoint): Record<string, object> {
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
		properties?: Record<string, { description?: string }>
		required?: string[]
	}
	return Object.entries(properties).map(([name, { description, ...value }]) => ({
		name,
		in: place,
		required: place === 'path' || required.includes(name),
		...(description !== undefined && { description }),
		schema: value,
	}))
}

/** Returns the JSON Schema of a shape in a request (`input`) or in a response (`output`). */
export function schema(shape: z.ZodMiniType | undefined, io: 'input' | 'output'): Record<string, unknown> {
	if (!shape) return {}
	const { $schema: _, ...found } = z.toJSONSchema(shape, {
		io,
		unrepresentable: 'any',
		override: (context) => shorten(context, io),
	})
	return found
}

/**
 * Removes parts of a schema that tell a reader nothing: the pattern of a named format and the bounds of all integers. Of an
 * answer, removes `additionalProperties: false`, since a later version may add fields.
 */
function shorten({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }, io: 'input' | 'output'): void {
	if (jsonSchema.format !== undefined) delete jsonSchema.pattern
	if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
	if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
	if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
