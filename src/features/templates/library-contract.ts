import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Search, Text, TrimmedText } from '#lib/fields.ts'
import { Button } from './contract.ts'

/** Topics of WhatsApp's library. */
export const LIBRARY_TOPICS = ['ACCOUNT_UPDATE', 'CUSTOMER_FEEDBACK', 'ORDER_MANAGEMENT', 'PAYMENTS'] as const

/** UTILITY template of WhatsApp's library, which every account can take over. */
export const LibraryTemplate = z.object({
	name: z.string(),
	language: z.string(),
	/** One of `LIBRARY_TOPICS`, or a newer one; null without. */
	topic: z.nullable(z.string()),
	header: z.nullable(z.string()),
	body: z.string(),
	/** Example of each variable of the body, in order. */
	bodyExamples: z.array(z.string()),
	/** Type of each variable, such as TEXT, AMOUNT or DATE, which WhatsApp checks when a message is sent. */
	bodyTypes: z.array(z.string()),
	buttons: z.array(Button),
})
export type LibraryTemplate = z.output<typeof LibraryTemplate>

export const templateLibrary = {
	/** Searches WhatsApp's library in the words and language of its texts. Empty values match everything. */
	search: endpoint('GET /api/templates/library', {
		access: 'manager',
		query: z.object({
			search: Search,
			topic: z.catch(z.optional(z.enum(LIBRARY_TOPICS)), undefined),
			language: z.catch(z.optional(TrimmedText(50)), undefined),
			/** `next` of the page before. */
			after: z.catch(z.optional(Text(1000)), undefined),
			limit: z.catch(z.coerce.number().check(z.int(), z.gte(1), z.lte(50)), 24),
		}),
		response: z.object({ templates: z.array(LibraryTemplate), next: z.nullable(z.string()) }),
	}),
}
