import {
	CONTACT_TAGS,
	lengthError,
	mergeTags,
	slotsOf,
	unsendablePart,
	valueError,
	type Variables,
} from '#features/campaigns/rules.ts'
import type { Columns } from '#features/contacts/columns.ts'
import { getGroup } from '#features/contacts/server/service.ts'
import { getPrices } from '#features/pricing/server/service.ts'
import { getTemplate, needsHeaderFile, type Template } from '#features/templates/server/service.ts'
import { formatRupees, paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { announceLive, publish } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import type { UploadedFile } from '#lib/server/uploads.ts'
import { isMarketing, priceOf } from '../price.ts'
import { workChannel } from '../work-channel.ts'
import { openAudienceFile, type AudienceFile } from './audience-file.ts'
import { findByRequest, findDifferent } from './audience-queries.ts'
import { analyseFile } from './file-analysis.ts'
import { mergeValueErrors } from './merge-values.ts'
import { toFile } from './message-sources.ts'
import { audienceOf, refuseIfUnaffordable, writeCampaign, type CampaignDraft } from './write-campaign.ts'

/** A campaign as its form was filled in. */
export interface CampaignForm {
	name: string
	description?: string | undefined
	templateId: string
	variables: Variables
	audienceType: 'all' | 'group' | 'file'
	selectedGroup?: string | undefined
	file?: UploadedFile | undefined
	/** Of the file; found by their headers when left out. */
	columns?: Columns | undefined
	schedule: 'now' | 'later'
	scheduleDatetime?: string | undefined
	timezone: string
	retryHeldBack?: boolean | undefined
	requestId?: string | undefined
	/** Rupees for each message, as the form showed. */
	price?: string | undefined
}

/** A million rows are written in one transaction, those of a file while it is being read. */
export const WRITE_TIMEOUT_MS = 120_000

/**
 * Creates a campaign: freezes template, price and variables, writes one message per recipient, holds their whole price
 * and sets the time it opens, all in one transaction. Too little money is a 402 that leaves nothing behind.
 * Repeating a request id returns the campaign that it created; with another form, a 409 names that campaign.
 */
export async function createCampaign({ db }: { db: Db }, owner: OwnerId, form: CampaignForm): Promise<number> {
	const { groupId, audienceName, file } = await readAudience(db, owner, form)
	const opensAt = readOpening(form)
	const template = await getUsableTemplate(db, owner, form.templateId)
	const variables = readVariables(template, form.variables, file?.tags)
	const pricePaise = priceOf(template, await getPrices(db, owner))
	if (!file) await checkMergeValues(db, owner, { audience: audienceOf({ groupId, template }), variables })
	const { name, description, audienceType, requestId = null, retryHeldBack = false } = form
	const facts = { name, description, audienceType, audienceName, groupId, requestId, retryHeldBack }
	const source = file ? { source: toFile(file) } : {}
	// A request that has created its campaign before is answered with that one, whatever the wallet has by now.
	const isRepeated = requestId !== null && (await findByRequest(db, owner, requestId)) !== null
	if (!isRepeated) refuseOtherPrice(form.price, pricePaise)
	if (file && !isRepeated) await checkFile(db, owner, { file, variables, template, pricePaise })

	const draft = { ...facts, ...source, template, variables, pricePaise, opensAt }
	return transaction(db, (sql) => createFrom(sql, owner, draft), { timeoutMs: WRITE_TIMEOUT_MS })
}

/**
 * Writes a campaign and notifies workers and browsers of it, in the caller's transaction. Returns its id, or that of the one
 * which its request has created before; a 409 where that was from another form.
 */
export async function createFrom(sql: Sql, owner: OwnerId, draft: CampaignDraft): Promise<number> {
	const { id, isNew } = await writeCampaign(sql, owner, draft)
	if (isNew) announceCreated(sql, owner, { id, kind: draft.kind })
	else await refuseOtherForm(sql, owner, { id, form: { ...draft, description: draft.description ?? '' } })
	return id
}

/** A form that was changed after its first answer was lost must not be answered as if the changed campaign existed. */
async function refuseOtherForm(sql: Sql, owner: OwnerId, written: Parameters<typeof findDifferent>[2]): Promise<void> {
	const name = await findDifferent(sql, owner, written)
	if (name === null) return
	const message = `This form has already created the campaign "${name}". To create another one as well, send again.`
	throw new AppError(409, message, { createdId: String(written.id) })
}

function announceCreated(sql: Sql, owner: OwnerId, { id, kind }: { id: number; kind: CampaignDraft['kind'] }): void {
	publish(sql, workChannel, owner)
	announceLive(sql, owner, { kind: 'wallet' })
	if (kind !== 'chat') announceLive(sql, owner, { kind: 'campaign', id: String(id) })
}

/** An admin may have changed the price since the form showed it: nobody pays another one than they saw. */
function refuseOtherPrice(shown: string | undefined, pricePaise: number): void {
	if (shown === undefined || paiseFromRupees(shown) === pricePaise) return
	const price = rupeesFromPaise(pricePaise)
	const message = `A message costs ${formatRupees(price)} by now. Check the cost of the campaign, then send again.`
	throw new AppError(409, message, { price })
}

interface ReadAudience {
	groupId: string | null
	audienceName: string
	file: AudienceFile | null
}

async function readAudience(db: Db, owner: OwnerId, form: CampaignForm): Promise<ReadAudience> {
	if (form.audienceType === 'file') {
		const file = await openAudienceFile(form.file, form.columns)
		if (file.columns.number === null) throw new AppError(400, NO_NUMBERS)
		return { groupId: null, audienceName: form.file?.filename.slice(0, 200) ?? '', file }
	}
	if (form.audienceType === 'all') return { groupId: null, audienceName: 'All contacts', file: null }
	if (!form.selectedGroup) throw new AppError(400, 'Please select a group')
	const group = await getGroup(db, owner, form.selectedGroup)
	return { groupId: String(group.id), audienceName: group.name, file: null }
}

export const NO_NUMBERS = 'Choose the column that holds the phone numbers'

/** The moment the campaign opens: the chosen wall-clock time in its time zone; null is at once. */
export function readOpening(form: Pick<CampaignForm, 'schedule' | 'scheduleDatetime' | 'timezone'>): Date | null {
	if (form.schedule === 'now') return null
	const opensAt = instantOf(form.scheduleDatetime ?? '', form.timezone)
	if (!opensAt) throw new AppError(400, 'Please select schedule date and time')
	if (opensAt.getTime() < Date.now() - 60_000) throw new AppError(400, 'The scheduled time has already passed')
	if (opensAt.getTime() >= LATEST) throw new AppError(400, 'Please select a date before the year 2100')
	return opensAt
}

/** A later year is a typing error, and years of five digits have no place in the replies. */
const LATEST = Date.UTC(2099, 11, 31, 18, 30)
/** An offset of its own would contradict the time zone. */
const DATE_AND_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/

function instantOf(local: string, timezone: string): Date | null {
	if (!DATE_AND_TIME.test(local)) return null
	try {
		return new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(timezone).epochMilliseconds)
	} catch {
		return null
	}
}

export async function getUsableTemplate(db: Db, owner: OwnerId, templateId: string): Promise<Template> {
	const template = await getTemplate(db, owner, templateId)
	const { name, status, goneAt, components } = template
	if (goneAt !== null) throw new AppError(400, `The template "${name}" no longer exists at WhatsApp`)
	if (status !== 'APPROVED') throw new AppError(400, `The template "${name}" is not approved`)
	const part = unsendablePart(components)
	if (part !== null) throw new AppError(400, `The template "${name}" has ${part}, which cannot be sent from here`)
	if (needsHeaderFile(template)) {
		throw new AppError(
			400,
			`The header file of the template "${name}" is missing. Upload it under Manage Templates first.`,
		)
	}
	return template
}

/** Exactly the template's variables, each with a value that Meta takes and tags that every recipient has. */
export function readVariables(
	template: Pick<Template, 'components'>,
	given: Variables,
	tags: readonly string[] = CONTACT_TAGS,
): Variables {
	const [error] = variableErrors(template, given, tags)
	if (error !== undefined) throw new AppError(400, error)
	return Object.fromEntries(slotsOf(template.components).map(({ key }) => [key, (given[key] ?? '').trim()]))
}

/** The errors in the values of a template's variables, as text. */
export function variableErrors(
	template: Pick<Template, 'components'>,
	given: Variables,
	tags: readonly string[] = CONTACT_TAGS,
): string[] {
	const tooLong = lengthError(template.components, given)
	const errors = slotsOf(template.components).flatMap(({ key }) => {
		const value = (given[key] ?? '').trim()
		const error = valueError(value)
		if (error) return [`The value for ${key} ${error}`]
		const unknown = mergeTags({ [key]: value }).find((tag) => !tags.includes(tag))
		if (unknown === undefined) return []
		return [`{{${unknown}}} is not known. Use ${tags.map((known) => `{{${known}}}`).join(', ')}`]
	})
	return tooLong ? [...errors, tooLong.message] : errors
}

/** Reads the whole file before anything is written: a campaign that cannot be is to cost the database nothing. */
async function checkFile(
	db: Db,
	owner: OwnerId,
	{
		file,
		variables,
		template,
		pricePaise,
	}: { file: AudienceFile; variables: Variables; template: Template; pricePaise: number },
): Promise<void> {
	const given = { file, variables, isMarketing: isMarketing(template.category) }
	const { counts, optedOut, errors } = await analyseFile(db, owner, given)
	const [error] = errors
	if (error !== undefined) throw new AppError(400, error)
	await refuseIfUnaffordable(db, owner, (counts.valid - optedOut) * pricePaise)
}

/** Refuses merge tags for which some recipient has nothing to fill in, or something that Meta refuses. */
async function checkMergeValues(...args: Parameters<typeof mergeValueErrors>): Promise<void> {
	const [error] = await mergeValueErrors(...args)
	if (error !== undefined) throw new AppError(400, error)
}
