import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { findByRequest } from '#features/delivery/server/orders/order-queries.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import type { CreateCampaignBody } from '../contract.ts'
import { orderProblems } from '../order-checks.ts'
import { resultText } from '../rules.ts'
import { planOrder, refuseProblems, refuseOtherPrices } from './creation/plan-order.ts'
import { openingOf, readContacts, readFile, readForm, refuseFields } from './creation/read-form.ts'
import { WRITE_TIMEOUT_MS, writeOrder, type Order } from './creation/write-order.ts'
import { presentCampaign } from './present.ts'
import * as queries from './queries.ts'

/** Returns a campaign. Throws a 404 for one that the account does not have or see. */
export async function getCampaign(sql: Sql, accountId: AccountId, id: string): Promise<queries.Campaign> {
	const campaign = await queries.findCampaign(sql, accountId, id)
	if (!campaign) throw notFound('Campaign')
	return campaign
}

/** Returns the result of each of these campaigns in a brief sentence, by the id of the campaign. */
export async function describeResults(
	sql: Sql,
	accountId: AccountId,
	ids: readonly string[],
): Promise<Map<string, string>> {
	const campaigns = ids.length > 0 ? await queries.listByIds(sql, accountId, ids) : []
	return new Map(
		campaigns.map((campaign) => [String(campaign.id), resultText(presentCampaign(campaign), { isBrief: true })]),
	)
}

/** The complete form of a campaign. */
export interface CampaignForm extends CreateCampaignBody {
	file?: UploadedFile | undefined
}

/**
 * Creates a campaign from its form. Throws a 402 when the wallet is short, and then writes nothing. Repeating a request id
 * returns the campaign that it created; with another form, a 409 names that campaign. `by` is the id of the person.
 */
export async function createCampaign(
	{ db }: { db: Db },
	accountId: AccountId,
	{ by, ...form }: CampaignForm & { by?: number },
): Promise<number> {
	const order = { ...(await readOrder(db, accountId, form)), by }
	const { id } = await transaction(db, (sql) => writeOrder(sql, accountId, order), { timeoutMs: WRITE_TIMEOUT_MS })
	return id
}

/**
 * Returns the order of a complete form. Throws its first problem, and plans an order to a file: all of its rows are read
 * before anything is written. Contacts are planned by `writeOrder`, under its locks.
 */
export async function readOrder(db: Db, accountId: AccountId, form: CampaignForm): Promise<Order> {
	const opensAt = openingOf(form)
	refuseFields(orderProblems({ ...form, hasFile: form.file !== undefined, opensAt: opensAt && opensAt.getTime() }))
	const { name, description, audienceType, requestId = null } = form
	const audience =
		audienceType === 'file'
			? await readFile(db, accountId, form)
			: await readContacts(db, accountId, { ...form, audienceType })
	refuseProblems(audience.problems)
	const { template, problems, ...read } = await readForm(db, accountId, { form, audience })
	refuseProblems(problems)
	if (!template) throw new Error('a form without a template has problems')
	const requestDigest = requestId && (await digestOf(form))
	const order = { ...read, template, name, description, audienceType, requestId, requestDigest }
	// A repeated request returns the campaign that it created, also when price or balance have changed.
	if (requestId !== null && (await findByRequest(db, accountId, requestId)) !== null) return order
	refuseOtherPrices(form, order)
	if (!order.source.isLive) refuseProblems((await planOrder(db, accountId, order)).problems)
	return order
}

/**
 * Returns a digest of a form's file, and of the choices that are not compared one by one. `false` is the default of an
 * option that release 1.0.0 had: a request repeated across the upgrade has the same digest.
 */
async function digestOf({ file, columns, formats, ...pacing }: CampaignForm): Promise<string> {
	const { recipientOrder, dailyStart, headerFiles } = pacing
	const isPaced = recipientOrder !== undefined || dailyStart !== undefined
	const choices = [
		columns,
		formats,
		false,
		...(isPaced ? [recipientOrder ?? null, dailyStart ?? null] : []),
		...(headerFiles ? [headerFiles] : []),
	]
	const hash = createHash('sha256').update(JSON.stringify(choices))
	if (file) for await (const chunk of createReadStream(file.path)) hash.update(chunk as Buffer)
	return hash.digest('base64url')
}
