import { listOwnColumns } from '#features/audiences/server/merge-column-queries.ts'
import { analyseFile, rejectedRows } from '#features/audiences/server/recipients/file-analysis.ts'
import { readCap } from '#features/audiences/server/recipients/frequency.ts'
import { contactTags, measureAudience } from '#features/audiences/server/recipients/merge-values.ts'
import { openAudienceFile } from '#features/audiences/server/recipients/recipient-file.ts'
import { getSegment, readRules } from '#features/audiences/server/segments/segments.ts'
import { valueProblems } from '#features/audiences/value-problems.ts'
import { getGroup } from '#features/contacts/server/groups/groups.ts'
import { priceOf } from '#features/delivery/server/message/price.ts'
import { findRules } from '#features/delivery/server/sending-rules-queries.ts'
import { CAMPAIGN_SHARE } from '#features/delivery/server/sending/pacer.ts'
import { getPrices } from '#features/pricing/server/queries.ts'
import type { Template } from '#features/templates/server/queries.ts'
import { getTemplate } from '#features/templates/server/service.ts'
import { withKnownTags } from '#features/templates/values.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { getSenderState, NO_CREDENTIALS, type SenderState } from '#features/whatsapp/server/sender.ts'
import type { PartOut, ResponseOut } from '#lib/endpoint.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { scan } from '#lib/server/db/scan-plans.ts'
import { AppError } from '#lib/server/errors.ts'
import type { UploadedFile } from '#lib/server/http/uploads.ts'
import type { CampaignEstimate, CampaignProblem, campaignPreflight } from '../preflight-contract.ts'
import * as creation from './creation/create.ts'
import { insufficientBalance, NOBODY } from './creation/write-campaign.ts'
import { countWaiting } from './queries.ts'

type ContactsForm = PartOut<typeof campaignPreflight.estimate.body>
type FileForm = PartOut<typeof campaignPreflight.audienceFile.body> & { upload: UploadedFile | undefined }
/** The form of a new campaign, as far as it is filled in. */
type PartialForm = Omit<FileForm, 'columns' | 'upload'>

/** Whom a form would reach, and what is wrong with the values they would get. */
interface Reached {
	contacts: number
	optedOut: number
	/** Of the others, those who have got enough marketing. */
	capped: number
	gaps: Record<string, number>
	errors: string[]
}

/** What the campaign of a form would reach and cost, when it would end, and every problem it has. */
export async function estimateContacts(
	db: Db,
	accountId: AccountId,
	{ signal, ...form }: ContactsForm & { signal: AbortSignal },
): Promise<CampaignEstimate> {
	const problems: CampaignProblem[] = []
	const template = await findTemplate(db, accountId, { form, problems })
	const groupId = form.audienceType === 'group' ? form.selectedGroup : null
	const segmentId = form.audienceType === 'segment' ? form.segmentId : null
	const opensAt = readSchedule(form, problems)
	if (groupId === undefined || segmentId === undefined)
		return complete(db, accountId, { opensAt, template, problems, reached: NONE })
	if (groupId !== null) await getGroup(db, accountId, groupId)
	const isMarketing = template?.category === 'MARKETING'
	const segment = segmentId === null ? null : await readRules(db, accountId, await getSegment(db, accountId, segmentId))
	const audience = { groupId, segment, isMarketing, cap: await readCap(db, accountId, { isMarketing, opensAt }) }
	const own = await listOwnColumns(db, accountId)
	const components = template?.components ?? []
	const variables = template ? withKnownTags(form.variables, contactTags(own)) : {}
	const measured = await scan(db, (sql) => measureAudience(sql, accountId, { audience, components, variables, own }), {
		signal,
		timeoutMs: db.timeoutMs,
		tooLong: TOO_LONG,
	})
	const valueErrors = template ? valueProblems(components, variables, contactTags(own)) : []
	const reached = {
		...measured,
		optedOut: isMarketing ? measured.optedOut : 0,
		errors: [...valueErrors.map(({ message }) => message), ...measured.errors],
	}
	return complete(db, accountId, { opensAt, template, problems, reached })
}

const TOO_LONG = 'Counting the recipients took too long. Try again later.'

const NONE: Reached = { contacts: 0, optedOut: 0, capped: 0, gaps: {}, errors: [] }

export type FileEstimate = Omit<ResponseOut<typeof campaignPreflight.audienceFile>, 'message'>

/**
 * The same for an uploaded file, and what is in it. The texts of the variables are not checked: a file is read once for
 * many of them, as they are typed, and its analysis must stay true. The form and the creation check them.
 */
export async function estimateFile(
	db: Db,
	accountId: AccountId,
	{ upload, columns, ...form }: FileForm,
): Promise<FileEstimate> {
	const file = await openAudienceFile(upload, columns)
	const problems: CampaignProblem[] = []
	const template = await findTemplate(db, accountId, { form, problems })
	if (file.columns.number === null) problems.push({ kind: 'audience', message: creation.NO_NUMBERS, isBlocking: true })
	const isMarketing = template?.category === 'MARKETING'
	const variables = withKnownTags(form.variables, file.tags)
	const opensAt = readSchedule(form, problems)
	const { counts, optedOut, capped, preview, secondNumbers, gaps, formats, errors } = await analyseFile(db, accountId, {
		file,
		components: template?.components ?? [],
		variables,
		isMarketing,
		cap: await readCap(db, accountId, { isMarketing, opensAt }),
	})
	const estimate = await complete(db, accountId, {
		opensAt,
		template,
		problems,
		reached: { contacts: counts.valid, optedOut, capped, gaps, errors },
	})
	return {
		...estimate,
		header: file.header,
		columns: file.columns,
		hidden: file.hidden,
		tags: file.tags,
		formats,
		counts,
		preview,
		secondNumbers,
	}
}

/** The rows of a file to which nothing would be sent, some at a time. */
export async function listRejected(
	db: Db,
	accountId: AccountId,
	given: Omit<FileForm, 'variables'>,
): Promise<{ header: string[]; numberAt: number | null; rows: ReturnType<typeof rejectedRows> }> {
	const file = await openAudienceFile(given.upload, given.columns)
	const template = given.templateId ? await getTemplate(db, accountId, given.templateId) : null
	const isMarketing = template?.category === 'MARKETING'
	const header = file.columns.hasHeader ? file.header : file.header.map((_, at) => `column${at + 1}`)
	const cap = await readCap(db, accountId, { isMarketing, opensAt: readSchedule(given, []) })
	const rows = rejectedRows(db, accountId, { file, isMarketing, cap })
	return { header, numberAt: file.columns.number, rows }
}

interface Draft {
	opensAt: Date | null
	template: Template | null
	problems: CampaignProblem[]
	reached: Reached
}

async function complete(
	db: Db,
	accountId: AccountId,
	{ opensAt, template, problems, reached }: Draft,
): Promise<CampaignEstimate> {
	const recipients = reached.contacts - reached.optedOut - reached.capped
	const pricePaise = template ? priceOf(template, await getPrices(db, accountId)) : 0
	const { availablePaise } = await getWallet(db, accountId)
	const sender = await getSenderState(db, accountId)
	const add = (kind: CampaignProblem['kind'], message: string, isBlocking = true) =>
		problems.push({ kind, message, isBlocking })
	for (const error of new Set(reached.errors)) add('variables', error)
	if (recipients === 0) add('audience', NOBODY)
	if (!sender) add('sender', NO_CREDENTIALS, false)
	if (sender?.stoppedReason) add('sender', sender.stoppedReason, false)
	if (pricePaise * recipients > availablePaise)
		add('wallet', insufficientBalance(pricePaise * recipients, availablePaise).message)
	return {
		contacts: reached.contacts,
		optedOut: reached.optedOut,
		capped: reached.capped,
		...(await findRules(db, accountId)),
		recipients,
		gaps: reached.gaps,
		price: rupeesFromPaise(pricePaise),
		cost: rupeesFromPaise(pricePaise * recipients),
		walletBalance: rupeesFromPaise(availablePaise),
		problems,
		...(await timing(db, accountId, { sender, recipients, opensAt })),
	}
}

/** How long it takes at the sender's pace. One that starts now shares it with what is being sent. */
async function timing(
	db: Db,
	accountId: AccountId,
	{ sender, recipients, opensAt }: { sender: SenderState | null; recipients: number; opensAt: Date | null },
) {
	const startsAt = opensAt ?? new Date()
	if (!sender) return { messagesPerSecond: null, durationSeconds: null, startsAt: startsAt.toISOString(), endsAt: null }
	const messagesPerSecond = sender.messagesPerSecond * CAMPAIGN_SHARE
	const before = opensAt === null ? await countWaiting(db, accountId) : 0
	const durationSeconds = Math.ceil((before + recipients) / messagesPerSecond)
	return {
		messagesPerSecond,
		durationSeconds,
		startsAt: startsAt.toISOString(),
		endsAt: new Date(startsAt.getTime() + durationSeconds * 1000).toISOString(),
	}
}

async function findTemplate(
	db: Db,
	accountId: AccountId,
	{ form, problems }: { form: PartialForm; problems: CampaignProblem[] },
): Promise<Template | null> {
	if (!form.templateId) return null
	try {
		return await creation.getUsableTemplate(db, accountId, form.templateId)
	} catch (error) {
		if (!(error instanceof AppError)) throw error
		const message = error.status === 404 ? 'This template no longer exists. Please select another one.' : error.message
		problems.push({ kind: 'template', message, isBlocking: true })
		return null
	}
}

function readSchedule(form: Omit<PartialForm, 'variables'>, problems: CampaignProblem[]): Date | null {
	try {
		return creation.readOpening(form)
	} catch (error) {
		if (!(error instanceof AppError)) throw error
		// Not chosen yet is no problem while the form is being filled in.
		if (form.scheduleDatetime) problems.push({ kind: 'schedule', message: error.message, isBlocking: true })
		return null
	}
}
