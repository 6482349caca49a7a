import { toRecipients } from '#features/audiences/server/recipients/recipient-sources.ts'
import type { Order } from '#features/campaigns/server/creation/write-order.ts'
import { readOrder } from '#features/campaigns/server/service.ts'
import type { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { AppError } from '#lib/app-error.ts'
import type { PartOut } from '#lib/endpoint.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { InvalidInput } from '#lib/server/errors.ts'
import { faultAt, faultsOf, invalid } from '../faults.ts'
import { readTemplate, unknownValues } from '../orders/check-order.ts'
import { readRecipients } from './read-people.ts'
import { readListForm } from './recipient-list.ts'

export type CampaignBody = PartOut<typeof v1Campaigns.createCampaign.body>

/** Returns the order of a body, checked as far as it can be before it is written. Throws a 422 with the fields of `body`. */
export async function readCampaign(db: Db, accountId: AccountId, body: CampaignBody): Promise<Order> {
	const {
		name,
		description,
		group,
		segment,
		recipients,
		holdOutPercent,
		recipientOrder,
		dailyStart,
		values: variables,
	} = body
	const template = await readTemplate(db, accountId, body.template)
	const form = { name, description, templateId: String(template.id), variables, dailyStart, ...timingOf(body) }
	const audienceType = segment ? ('segment' as const) : group ? ('group' as const) : ('all' as const)
	const audience = { audienceType, selectedGroup: group, segmentId: segment, holdOutPercent, recipientOrder }
	const reading = recipients ? readListForm(db, accountId, form) : readOrder(db, accountId, { ...form, ...audience })
	const [unknown, order] = [unknownValues(template, variables, []), await reading.catch(byOwnNames)]
	const faults = [...unknown, ...(order instanceof AppError ? faultsOf(order) : [])]
	if (faults.length > 0) throw invalid(faults)
	if (order instanceof AppError) throw order
	if (!recipients) return order
	const message = { components: template.components, variables: order.variables }
	return { ...order, source: toRecipients(readRecipients(recipients, message)) }
}

/** Names in /v1 of fields of the campaign form. */
const OWN_NAMES: Record<PropertyKey, string> = { variables: 'values', scheduleDatetime: 'startsAt' }

/** Returns the refusal of a campaign with the field names of /v1. */
function byOwnNames(error: unknown): AppError {
	if (!(error instanceof AppError)) throw error
	if (!(error instanceof InvalidInput)) return error
	return invalid(
		error.issues.map(({ path: [field = '', ...rest], message }) =>
			faultAt([OWN_NAMES[field] ?? field, ...rest], message),
		),
	)
}

/** Returns the schedule in the form's terms, which are the clock of a time zone: here UTC. */
function timingOf({ startsAt }: Pick<CampaignBody, 'startsAt'>) {
	const scheduleDatetime = startsAt && new Date(startsAt).toISOString().replace('Z', '')
	return { schedule: startsAt ? ('later' as const) : ('now' as const), scheduleDatetime, timezone: 'UTC' }
}
