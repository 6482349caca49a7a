import { listCustomColumns } from '#features/audiences/server/merge-column-queries.ts'
import { findContactRecipient } from '#features/audiences/server/recipients/audience-queries.ts'
import { toRecipients } from '#features/audiences/server/recipients/recipient-sources.ts'
import { gapOf, contactTags } from '#features/audiences/values.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { problem } from '#features/campaigns/problems.ts'
import { findByRequest } from '#features/delivery/server/orders/order-queries.ts'
import { findPrices, priceFor } from '#features/pricing/server/service.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { mergeTags, tagsWithoutFallback, withKnownTags } from '#features/templates/values.ts'
import { getSenderState } from '#features/whatsapp/server/service.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { readNumber } from '#lib/phone/phone-reader.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import { problem as libProblem } from '#lib/problems.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { cutTo } from '#lib/text/characters.ts'
import { planOrder, refuseProblems, refuseOtherPrice } from './plan-order.ts'
import { getUsableTemplate, readVariables } from './read-form.ts'
import { writeOrder, type Order } from './write-order.ts'

type TestForm = PartOut<typeof campaignPreflight.sendTest.body> & { by?: number }

/**
 * Sends a template to one number as a campaign of kind `test`, charged like any other, and returns its id. A repeated request
 * id sends nothing more. Throws a 409 for a repeated request id with another number, template or values, while sending is
 * stopped, and for a price that has changed since the form showed it. Throws a 400 that names a merge tag without a fallback
 * which neither the form nor the contact with this number fills.
 */
export async function sendTest(db: Db, accountId: AccountId, form: TestForm): Promise<number> {
	const number = readNumber(form.number)
	if (number === null) throw libProblem('phone_number_invalid')
	const isRepeated = form.requestId !== undefined && (await findByRequest(db, accountId, form.requestId)) !== null
	if (!isRepeated) await refuseWhileStopped(db, accountId)
	const template = await getUsableTemplate(db, accountId, form.templateId)
	const customColumns = await listCustomColumns(db, accountId)
	const given = withKnownTags(form.variables, contactTags(customColumns))
	// A tag that no contact has is a column of a file.
	const variables = readVariables(template, given, [...contactTags(customColumns), ...mergeTags(given)])
	const used = mergeTags(variables)
	const known = used.filter((tag) => contactTags(customColumns).includes(tag))
	const contact = await findContactRecipient(db, accountId, { number, tags: known, customColumns })
	const values = used.map((tag) => (tag === 'number' ? `+${number}` : (contact?.values[known.indexOf(tag)] ?? null)))
	const prices = priceFor(await findPrices(db, accountId, template), number)
	if (!isRepeated) refuseOtherPrice(form, prices.pricePaise)
	const order: Order = {
		template,
		variables,
		audienceType: 'file',
		groupId: null,
		opensAt: null,
		source: toRecipients([{ number, name: contact?.name ?? null, values }]),
		kind: 'test',
		name: cutTo(`Test of ${templateTitle(template.name)}`, 200),
		audienceName: `Test to ${displayNumber(number)}`,
		...prices,
		requestId: form.requestId ?? null,
		by: form.by,
	}
	if (!isRepeated) {
		const { reach, problems } = await planOrder(db, accountId, order)
		refuseUnfilled(tagsWithoutFallback(variables).filter((tag) => gapOf(reach.gaps, tag) > 0))
		refuseProblems(problems)
	}
	return (await transaction(db, (sql) => writeOrder(sql, accountId, order))).id
}

/** Throws a 409 while sending is stopped: the test would wait, and fail later. */
async function refuseWhileStopped(db: Db, accountId: AccountId): Promise<void> {
	const reason = (await getSenderState(db, accountId))?.stoppedReason
	if (reason) throw problem('test_while_stopped', { reason })
}

/** Throws a 400 for tags that would arrive empty or as a placeholder. */
function refuseUnfilled(tags: readonly string[]): void {
	if (tags.length === 0) return
	throw problem('test_values_missing', { tags })
}
