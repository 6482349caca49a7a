import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Limit, Page, Search, Time } from '#lib/fields.ts'

const Button = z.looseObject({
	type: z.string(),
	text: z.optional(z.string()),
	url: z.optional(z.string()),
	phone_number: z.optional(z.string()),
})

/** A part of a template as Meta describes it; what we do not know is kept. */
export const Component = z.looseObject({
	type: z.string(),
	format: z.optional(z.string()),
	text: z.optional(z.string()),
	buttons: z.optional(z.array(Button)),
})
export type Component = z.output<typeof Component>

export const TemplateRow = z.object({
	_id: z.string(),
	template_id: z.string(),
	name: z.string(),
	language: z.string(),
	status: z.string(),
	category: z.string(),
	quality: z.nullable(z.string()),
	rejectedReason: z.nullable(z.string()),
	/** Our copy of the header's file, as an address the browser may show. */
	mediaUrl: z.nullable(z.string()),
	components: z.array(Component),
})
export type TemplateRow = z.output<typeof TemplateRow>

export const templates = {
	list: endpoint({
		method: 'GET',
		path: '/api/templates',
		access: 'user',
		query: z.object({ page: Page, limit: Limit(1000), search: Search }),
		response: z.object({
			templates: z.array(TemplateRow),
			page: z.int(),
			pages: z.int(),
			lastSyncedAt: z.nullable(Time),
		}),
	}),
	/** The header's picture, video or document: what `mediaUrl` points to. The browser's token must come along. */
	headerFile: endpoint({
		method: 'GET',
		path: '/api/templates/{id}/header',
		access: 'user',
		params: z.object({ id: Id }),
		response: { file: 'application/octet-stream' },
	}),
	/** How the account's business appears in WhatsApp. */
	profile: endpoint({
		method: 'GET',
		path: '/api/templates/profile',
		access: 'user',
		response: z.object({
			success: z.boolean(),
			verifiedName: z.string(),
			businessName: z.string(),
			profilePictureUrl: z.nullable(z.string()),
		}),
	}),
	/** Fetches the account's templates from Meta anew. */
	sync: endpoint({
		method: 'POST',
		path: '/api/templates/sync',
		access: 'user',
		response: z.object({ message: z.string(), count: z.int() }),
	}),
}
