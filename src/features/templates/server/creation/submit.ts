import { setTimeout as sleep } from 'node:timers/promises'
import { problem } from '#features/templates/problems.ts'
import { componentsIn, findComponent, partsOf } from '#features/templates/values.ts'
import { createTemplate, findTemplatesNamed } from '#features/whatsapp/server/cloud-api-templates.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { Sender } from '#features/whatsapp/server/service.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import { categoryOf, readTemplate, type MetaTemplate } from '../meta-template.ts'
import { isExisting, isUnknownOutcome, refusalOf } from '../refusal.ts'
import { isKnown } from './creation-queries.ts'
import { requestOf, type MetaTemplateBody } from './meta-body.ts'

interface SubmitContext {
	db: Db
	cloudApi: CloudApi
	log: Log
}

interface Request {
	body: MetaTemplateBody
	sender: Sender
}

/**
 * Submits the template and returns it as Meta describes it. When the outcome is unknown, or the template exists at Meta
 * but not here, looks the template up at Meta; throws Meta's refusal, or a 502 when Meta does not list the template.
 */
export async function submitAndConfirm(
	context: SubmitContext,
	accountId: AccountId,
	request: Request,
): Promise<MetaTemplate> {
	const { cloudApi, db, log } = context
	const { body, sender } = request
	const { accessToken } = sender
	try {
		const answer = await createTemplate(cloudApi, sender.wabaId, { accessToken, template: requestOf(body) })
		return submittedTemplate(body, answer)
	} catch (error) {
		log.warn({ error, accountId }, 'Meta did not create a template')
		const isUnknown = isUnknownOutcome(error)
		// An existing template without a row here may have been created by an earlier attempt whose process ended.
		const mayBeOurs = isExisting(error) && !(await isKnown(db, accountId, body))
		if (!isUnknown && !mayBeOurs) throw refusalOf(error, 'create template')
		const found = await findCreated(context, request)
		if (found) return found
		throw isUnknown ? problem('template_not_created') : refusalOf(error, 'create template')
	}
}

const CHECK_DELAYS_MS = [0, 1000, 3000]

/**
 * Returns Meta's template when it is the submitted one; null when Meta lists none or another. Throws when Meta cannot
 * be asked.
 */
async function findCreated({ cloudApi }: SubmitContext, { body, sender }: Request): Promise<MetaTemplate | null> {
	for (const delayMs of CHECK_DELAYS_MS) {
		await sleep(delayMs)
		const rows = await findTemplatesNamed(cloudApi, sender.wabaId, { ...sender, name: body.name }).catch(() => null)
		if (!rows && delayMs === CHECK_DELAYS_MS.at(-1)) throw problem('template_not_confirmed')
		const found = rows?.map(readTemplate).find((template) => template?.language === body.language)
		if (found) return isSame(found, body) ? found : null
	}
	return null
}

/**
 * Returns true when name and texts are the submitted ones. Another template of the same name may have existed before.
 */
export function isSame(
	found: Pick<MetaTemplate, 'name' | 'components'>,
	{ name, components, library }: MetaTemplateBody,
): boolean {
	// Meta has added its own sentences to the text.
	if (library?.library_template_body_inputs) return found.name === name
	const parts = partsOf(components)
	if (found.name !== name || partsOf(found.components).length !== parts.length) return false
	return parts.every(({ card, components: part }) =>
		['BODY', 'HEADER', 'FOOTER'].every((type) => {
			const text = findComponent(part, type)?.text
			return text === undefined || text === findComponent(componentsIn(found.components, { card }), type)?.text
		}),
	)
}

/** Returns the new template: the submitted fields with Meta's id, status and category. */
function submittedTemplate(
	body: MetaTemplateBody,
	answer: { templateId: string; status: string; category: string | null },
): MetaTemplate {
	return {
		templateId: answer.templateId,
		name: body.name,
		language: body.language,
		status: answer.status,
		category: categoryOf(answer.category ?? body.category),
		previousCategory: null,
		correctCategory: null,
		quality: null,
		rejectedReason: null,
		parameterFormat: body.parameter_format ?? 'POSITIONAL',
		ttlSeconds: body.message_send_ttl_seconds ?? null,
		components: body.components,
	}
}
