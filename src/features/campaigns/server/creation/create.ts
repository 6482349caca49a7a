import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { heldOutOf } from '#features/audiences/control-group.ts'
import type { SegmentRules } from '#features/audiences/segment-rules.ts'
import { listOwnColumns } from '#features/audiences/server/merge-column-queries.ts'
import { findByRequest } from '#features/audiences/server/recipients/audience-queries.ts'
import { analyseFile } from '#features/audiences/server/recipients/file-analysis.ts'
import { readCap } from '#features/audiences/server/recipients/frequency.ts'
import { contactTags } from '#features/audiences/server/recipients/merge-values.ts'
import { openAudienceFile, type AudienceFile } from '#features/audiences/server/recipients/recipient-file.ts'
import { toFile } from '#features/audiences/server/recipients/recipient-sources.ts'
import { findDifferent } from '#features/audiences/server/recipients/repeated-order-queries.ts'
import { getSegment, readRules } from '#features/audiences/server/segments/segments.ts'
import { valueProblems, type OrderProblem } from '#features/audiences/value-problems.ts'
import type { CreateCampaignBody } from '#features/campaigns/contract.ts'
import { openingProblems, orderProblems, templateProblems } from '#features/campaigns/order-checks.ts'
import { getGroup } from '#features/contacts/server/groups/groups.ts'
import { isMarketing, priceOf } from '#features/delivery/server/message/price.ts'
import { workChannel } from '#features/delivery/server/work-channel.ts'
import { getPrices } from '#features/pricing/server/queries.ts'
import { needsHeaderFile } from '#features/templates/server/header-file.ts'
import type { Template } from '#features/templates/server/queries.ts'
import { getTemplate } from '#features/templates/server/service.ts'
import { slotsOf, withKnownTags, type Variables } from '#features/templates/values.ts'
import { formatRupees, paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive, publish } from '#lib/server/db/channels.ts'
import { AppError, InvalidInput } from '#lib/server/errors.ts'
import type { UploadedFile } from '#lib/server/http/uploads.ts'
import { refuseIfUnaffordable, writeCampaign, type CampaignDraft } from './write-campaign.ts'

/** A campaign as its form was filled in. */
export interface CampaignForm extends CreateCampaignBody {
	file?: UploadedFile | undefined
}

/** A million rows are written in one transaction, those of a file while it is being read. */
export const WRITE_TIMEOUT_MS = 120_000

/**
 * Creates a campaign: freezes template, price and variables, writes one message per recipient, holds their whole price
 * and sets the time it opens, all in one transaction. Too little money is a 402 that leaves nothing behind.
 * Repeating a request id returns the campaign that it created; with another form, a 409 names that campaign.
 */
export async function createCampaign({ db }: { db: Db }, accountId: AccountId, form: CampaignForm): Promise<number> {
	const draft = await readForm(db, accountId, form)
	return transaction(db, (sql) => createFrom(sql, accountId, draft), { timeoutMs: WRITE_TIMEOUT_MS })
}

/** The campaign that a form orders, checked as far as it can be before it is written. */
export async function readForm(db: Db, accountId: AccountId, form: CampaignForm): Promise<CampaignDraft> {
	const opensAt = openingOf(form)
	refuseAny(orderProblems({ ...form, hasFile: form.file !== undefined, opensAt: opensAt && opensAt.getTime() }))
	const { groupId, segmentId, segment, audienceName, file } = await readAudience(db, accountId, form)
	const template = await getUsableTemplate(db, accountId, form.templateId)
	const own = await listOwnColumns(db, accountId)
	const variables = readVariables(template, form.variables, file?.tags ?? contactTags(own))
	const pricePaise = priceOf(template, await getPrices(db, accountId))
	const { name, description, audienceType, requestId = null, retryHeldBack, formats, holdOutPercent } = form
	const chosen = { audienceType, audienceName, groupId, segmentId, segment }
	const facts = {
		...chosen,
		formats,
		name,
		description,
		requestId,
		retryHeldBack,
		holdOutPercent,
		requestDigest: requestId && (await digestOf(form)),
	}
	const source = file ? { source: toFile(file) } : {}
	// A request that has created its campaign before is answered with that one, whatever the wallet has by now.
	const isRepeated = requestId !== null && (await findByRequest(db, accountId, requestId)) !== null
	if (!isRepeated) refuseOtherPrice(form.price, pricePaise)
	if (file && !isRepeated)
		await checkFile(db, accountId, { file, variables, template, pricePaise, opensAt, holdOutPercent })

	return { ...facts, ...source, template, variables, pricePaise, opensAt }
}

/**
 * Writes a campaign and notifies workers and browsers of it, in the caller's transaction. Returns its id, or that of the one
 * which its request has created before; a 409 where that was from another form.
 */
export async function createFrom(sql: Sql, accountId: AccountId, draft: CampaignDraft): Promise<number> {
	const { id, isNew } = await writeCampaign(sql, accountId, draft)
	if (isNew) {
		publish(sql, workChannel, accountId)
		announceLive(sql, accountId, { kind: 'wallet' })
		if (draft.kind !== 'chat') announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
	} else await refuseOtherForm(sql, accountId, { id, form: { ...draft, description: draft.description ?? '' } })
	return id
}

/** A form that was changed after its first answer was lost must not be answered as if the changed campaign existed. */
async function refuseOtherForm(
	sql: Sql,
	accountId: AccountId,
	written: Parameters<typeof findDifferent>[2],
): Promise<void> {
	const name = await findDifferent(sql, accountId, written)
	if (name === null) return
	const message = `This form has already created the campaign "${name}". To create another one as well, send again.`
	throw new AppError(409, message, { createdId: String(written.id) })
}

/** An admin may have changed the price since the form showed it: nobody pays another one than they saw. */
function refuseOtherPrice(shown: string | undefined, pricePaise: number): void {
	if (shown === undefined || paiseFromRupees(shown) === pricePaise) return
	const price = rupeesFromPaise(pricePaise)
	const message = `A message costs ${formatRupees(price)} by now. Check the cost of the campaign, then send again.`
	throw new AppError(409, message, { price })
}

/** Returns a digest of a form's file, and of the choices that are not compared one by one. */
async function digestOf({ file, columns, formats, retryHeldBack }: CampaignForm): Promise<string> {
	const hash = createHash('sha256').update(JSON.stringify([columns, formats, retryHeldBack]))
	if (file) for await (const chunk of createReadStream(file.path)) hash.update(chunk as Buffer)
	return hash.digest('base64url')
}

interface ReadAudience {
	groupId: string | null
	segmentId: string | null
	segment: SegmentRules | null
	audienceName: string
	file: AudienceFile | null
}

const EVERYBODY: ReadAudience = {
	groupId: null,
	segmentId: null,
	segment: null,
	audienceName: 'All contacts',
	file: null,
}

async function readAudience(db: Db, accountId: AccountId, form: CampaignForm): Promise<ReadAudience> {
	if (form.audienceType === 'file') {
		const file = await openAudienceFile(form.file, form.columns, form.formats)
		if (file.columns.number === null) throw new AppError(400, NO_NUMBERS)
		return { ...EVERYBODY, audienceName: form.file?.filename.slice(0, 200) ?? '', file }
	}
	if (form.audienceType === 'all') return EVERYBODY
	if (form.audienceType === 'segment') {
		const segment = await getSegment(db, accountId, form.segmentId ?? '')
		await readRules(db, accountId, segment)
		return { ...EVERYBODY, segmentId: String(segment.id), segment, audienceName: segment.name }
	}
	const group = await getGroup(db, accountId, form.selectedGroup ?? '')
	return { ...EVERYBODY, groupId: String(group.id), audienceName: group.name }
}

export const NO_NUMBERS = 'Choose the column that holds the phone numbers'

type Timing = Pick<CampaignForm, 'schedule' | 'scheduleDatetime' | 'timezone'>

/** The moment the campaign opens: the chosen wall-clock time in its time zone; null is at once. */
export function readOpening(form: Timing): Date | null {
	const opensAt = openingOf(form)
	refuseAny(openingProblems({ schedule: form.schedule, opensAt: opensAt && opensAt.getTime() }))
	return opensAt
}

/** Null where it opens at once, or where no moment can be read. */
function openingOf({ schedule, scheduleDatetime = '', timezone }: Timing): Date | null {
	return schedule === 'now' ? null : instantOf(scheduleDatetime, timezone)
}

function refuseAny(problems: readonly OrderProblem[]): void {
	const issues = problems.map(({ field, message }) => ({ path: field.split('.'), message }))
	if (issues[0]) throw new InvalidInput(issues[0].message, issues)
}

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

export async function getUsableTemplate(db: Db, accountId: AccountId, templateId: string): Promise<Template> {
	const template = await getTemplate(db, accountId, templateId)
	refuseUnusable(template)
	return template
}

export function refuseUnusable(template: Template): void {
	const { name, status, goneAt, components } = template
	if (goneAt !== null) throw new AppError(400, `The template "${name}" no longer exists at WhatsApp`)
	if (status !== 'APPROVED') throw new AppError(400, `The template "${name}" is not approved`)
	refuseAny(templateProblems({ components, needsHeaderFile: needsHeaderFile(template) }))
}

/** Returns exactly the template's variables, each with a value that Meta takes and tags as they are named in `tags`. */
export function readVariables(
	template: Pick<Template, 'components'>,
	given: Variables,
	tags: readonly string[],
): Variables {
	refuseAny(valueProblems(template.components, given, tags))
	const named = withKnownTags(given, tags)
	return Object.fromEntries(slotsOf(template.components).map(({ key }) => [key, (named[key] ?? '').trim()]))
}

/** Reads the whole file before anything is written: a campaign that cannot be is to cost the database nothing. */
async function checkFile(
	db: Db,
	accountId: AccountId,
	{
		file,
		variables,
		template,
		pricePaise,
		opensAt,
		holdOutPercent,
	}: Pick<CampaignDraft, 'variables' | 'pricePaise' | 'opensAt' | 'holdOutPercent'> & {
		file: AudienceFile
		template: Template
	},
): Promise<void> {
	const opening = { isMarketing: isMarketing(template.category), opensAt }
	const given = {
		file,
		components: template.components,
		variables,
		...opening,
		cap: await readCap(db, accountId, opening),
	}
	const { counts, optedOut, capped, errors } = await analyseFile(db, accountId, given)
	const [error] = errors
	if (error !== undefined) throw new AppError(400, error)
	const recipients = counts.valid - optedOut - capped
	await refuseIfUnaffordable(db, accountId, (recipients - heldOutOf(recipients, holdOutPercent)) * pricePaise)
}
