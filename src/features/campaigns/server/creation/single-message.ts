import { listOwnColumns } from '#features/audiences/server/merge-column-queries.ts'
import {
	findByRequest,
	findContactRecipient,
	type Recipient,
} from '#features/audiences/server/recipients/audience-queries.ts'
import { contactTags } from '#features/audiences/server/recipients/merge-values.ts'
import { toRecipients } from '#features/audiences/server/recipients/recipient-sources.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { priceOf } from '#features/delivery/server/message/price.ts'
import { getPrices } from '#features/pricing/server/queries.ts'
import { createMisfitCounter, openParts } from '#features/templates/filled.ts'
import { mediaHeaderOf } from '#features/templates/server/header-file.ts'
import type { Template } from '#features/templates/server/queries.ts'
import { mergeTags, tagsWithoutFallback, withKnownTags, type Variables } from '#features/templates/values.ts'
import { getSenderState } from '#features/whatsapp/server/sender.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { readNumber } from '#lib/phone-reader.ts'
import { displayNumber } from '#lib/phone.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import { createFrom, getUsableTemplate, readVariables } from './create.ts'
import type { CampaignDraft } from './write-campaign.ts'

type TestForm = PartOut<typeof campaignPreflight.sendTest.body>

/**
 * Sends the message to one number, charged like any other: as a campaign of its own, marked as a test, so that it takes the
 * way that the real one will take. Returns the campaign's id. Repeating a request id sends nothing more; with another number,
 * template or values it is a 409. So is a test while sending is stopped. A merge tag without a fallback that neither the form nor
 * the contact with this number fills is a 400 that names it.
 */
export async function sendTest(db: Db, accountId: AccountId, form: TestForm): Promise<number> {
	const number = readNumber(form.number)
	if (number === null) throw new AppError(400, 'Invalid phone number format')
	const isRepeated = form.requestId !== undefined && (await findByRequest(db, accountId, form.requestId)) !== null
	if (!isRepeated) await refuseWhileStopped(db, accountId)
	const template = await getUsableTemplate(db, accountId, form.templateId)
	const own = await listOwnColumns(db, accountId)
	const given = withKnownTags(form.variables, contactTags(own))
	// A tag that no contact has is a column of a file.
	const variables = readVariables(template, given, [...contactTags(own), ...mergeTags(given)])
	const used = mergeTags(variables)
	const known = used.filter((tag) => contactTags(own).includes(tag))
	const contact = await findContactRecipient(db, accountId, { number, tags: known, own })
	const values = used.map((tag) => (tag === 'number' ? `+${number}` : (contact?.values[known.indexOf(tag)] ?? null)))
	refuseUnfilled(tagsWithoutFallback(variables).filter((tag) => !values[used.indexOf(tag)]))
	refuseMisfits(template, variables, (tag) => values[used.indexOf(tag)] ?? null)
	const draft: CampaignDraft = {
		...draftOf({ template, variables }, { number, name: contact?.name ?? null, values }),
		kind: 'test',
		name: `Test of ${template.name}`.slice(0, 200),
		audienceName: `Test to ${displayNumber(number)}`,
		pricePaise: priceOf(template, await getPrices(db, accountId)),
		requestId: form.requestId ?? null,
	}
	return transaction(db, (sql) => createFrom(sql, accountId, draft))
}

/** The message would wait and fail later: the person who tests is to hear of it now. */
async function refuseWhileStopped(db: Db, accountId: AccountId): Promise<void> {
	const reason = (await getSenderState(db, accountId))?.stoppedReason
	if (reason) throw new AppError(409, `Sending has stopped, so the test was not sent. ${reason}`)
}

/** Refuses tags that would arrive empty or as a placeholder. */
function refuseUnfilled(tags: readonly string[]): void {
	if (tags.length === 0) return
	const names = tags.map((tag) => `{{${tag}}}`).join(', ')
	throw new AppError(
		400,
		`The test was not sent: nothing is known for ${names}. Type a value to test with, or send the test to a contact who has one.`,
	)
}

/** Refuses a message that is too long, or has an end of a link that cannot stand there, with this recipient's values. */
function refuseMisfits(
	{ components }: Pick<Template, 'components'>,
	variables: Variables,
	find: (tag: string) => string | null,
): void {
	const counter = createMisfitCounter(openParts(components, variables))
	counter.add(find)
	const [error] = counter.errors()
	if (error !== undefined) throw new AppError(400, error)
}

/** A message that somebody sends from a chat. Its variables hold no merge tags. */
export interface ChatOrder {
	/** Whom the chat is with. */
	chat: string
	template: Template
	variables: Variables
	pricePaise: number
}

/**
 * Orders a template for a chat, in the caller's transaction, which has checked the sender: as a campaign that no list shows,
 * whose only message the chat shows as its own. Returns its id. Too little money is a 402.
 */
export function orderForChat(
	sql: Sql,
	accountId: AccountId,
	{ chat, template, variables, pricePaise }: ChatOrder,
): Promise<number> {
	return createFrom(sql, accountId, {
		...draftOf({ template, variables }, { number: chat, name: null, values: [] }),
		kind: 'chat',
		name: template.name,
		audienceName: 'Chat',
		pricePaise,
		requestId: null,
		// One with a file waits for its upload, by the opener.
		status: mediaHeaderOf(template) === null ? 'processing' : 'pending',
	})
}

function draftOf(message: Pick<CampaignDraft, 'template' | 'variables'>, recipient: Recipient) {
	const source = toRecipients([recipient])
	return { ...message, audienceType: 'file' as const, groupId: null, opensAt: null, source }
}
