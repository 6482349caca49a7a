import * as z from 'zod/mini'
import { Component } from '#features/templates/contract.ts'
import type { LibraryTemplate, templateLibrary } from '#features/templates/library-contract.ts'
import { searchTemplateLibrary } from '#features/whatsapp/server/cloud-api-templates.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import { requireSender } from '#features/whatsapp/server/service.ts'
import type { PartOut, ResponseIn } from '#lib/endpoint.ts'
import { Text } from '#lib/fields.ts'
import type { AccountId, Db } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { cleanTexts } from '#lib/text/clean-texts.ts'
import { accountRefusalOf } from './refusal.ts'

const Given = Text(5000)
const Words = z.catch(z.array(Given).check(z.maxLength(250)), [])
const Word = z.catch(z.nullable(Given), null)

const Described = z.object({
	name: Given,
	language: Given,
	category: z.literal('UTILITY'),
	topic: Word,
	header: Word,
	body: Given,
	body_params: Words,
	body_param_types: Words,
	buttons: z.catch(z._default(Component.shape.buttons, []), []),
})

interface LibraryContext {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	log: Log
}

/**
 * Searches WhatsApp's template library, and leaves out rows that are not UTILITY or that cannot be read. Throws a 400
 * without credentials or for a refusal by Meta, and a 502 when Meta does not answer.
 */
export async function searchLibrary(
	{ db, vault, cloudApi, log }: LibraryContext,
	accountId: AccountId,
	{ search, topic, language, after, limit }: PartOut<(typeof templateLibrary.search)['query']>,
): Promise<ResponseIn<typeof templateLibrary.search>> {
	const { accessToken } = await requireSender(db, vault, accountId)
	try {
		const page = await searchTemplateLibrary(cloudApi, { accessToken, search, topic, language, after, limit })
		return { templates: page.rows.flatMap(readRow), next: page.next }
	} catch (error) {
		log.warn({ error, accountId }, 'WhatsApp’s template library could not be searched')
		throw accountRefusalOf(error, 'search the library')
	}
}

function readRow(row: unknown): LibraryTemplate[] {
	const result = Described.safeParse(cleanTexts(row))
	if (!result.success) return []
	const { category: _category, body_params, body_param_types, buttons, ...named } = result.data
	return [{ ...named, bodyExamples: body_params, bodyTypes: body_param_types, buttons }]
}
