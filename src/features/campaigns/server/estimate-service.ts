import type { Reach } from '#features/audiences/server/recipients/audience-queries.ts'
import { rejectedRows, openAudienceFile } from '#features/audiences/server/recipients/recipient-file.ts'
import { readCap } from '#features/audiences/server/service.ts'
import { problem } from '#features/campaigns/problems.ts'
import { CAMPAIGN_SHARE, isMarketing } from '#features/delivery/rules.ts'
import { findRules } from '#features/delivery/server/sending-rules-queries.ts'
import { findUnderLimit } from '#features/delivery/server/service.ts'
import type { MatchedReach } from '#features/header-files/server/match/own-files.ts'
import { abroadDigest, findPrices } from '#features/pricing/server/service.ts'
import { getTemplate } from '#features/templates/server/service.ts'
import { NO_CREDENTIALS } from '#features/whatsapp/problems.ts'
import { healthStop, healthWarning, type SenderLimits } from '#features/whatsapp/rules.ts'
import { getSenderLimits, getSenderState, type SenderState } from '#features/whatsapp/server/service.ts'
import type { PartOut, ResponseOut } from '#lib/endpoint.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { scan } from '#lib/server/db/scan-plans.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import type { CampaignEstimate, CampaignProblem, campaignPreflight } from '../preflight-contract.ts'
import {
	costOf,
	countOf,
	planOrder,
	type OrderPlan,
	type PlannedOrder,
	type PlanProblem,
} from './creation/plan-order.ts'
import { presentSplit } from './creation/present-split.ts'
import { openingIn, readContacts, readFile, readForm, type ReadForm } from './creation/read-form.ts'
import { countWaiting } from './queries.ts'

type ContactsForm = PartOut<typeof campaignPreflight.estimate.body>
type FileForm = PartOut<typeof campaignPreflight.audienceFile.body> & { upload: UploadedFile | undefined }

/** Returns the reach, cost, end and problems of the campaign that a form would create as filled in so far. */
export async function estimateContacts(
	db: Db,
	accountId: AccountId,
	{ signal, ...typed }: ContactsForm & { signal: AbortSignal },
): Promise<CampaignEstimate> {
	const audience = await readContacts(db, accountId, typed)
	const form = await readForm(db, accountId, { form: typed, audience })
	const options = { signal, timeoutMs: db.timeoutMs, tooLong: () => problem('estimate_too_slow') }
	const plan = await scan(db, (sql) => planOrder(sql, accountId, planned(form)), options)
	return presentPlan(db, accountId, { form, plan })
}

export type FileEstimate = Omit<ResponseOut<typeof campaignPreflight.audienceFile>, 'message'>

/**
 * Returns the estimate for an uploaded file, and its contents. The texts of the variables are left to the form and the
 * creation to check: the analysis of a file must stay valid while they are typed.
 */
export async function estimateFile(
	db: Db,
	accountId: AccountId,
	{ upload, ...typed }: FileForm,
): Promise<FileEstimate> {
	const audience = await readFile(db, accountId, { file: upload, columns: typed.columns })
	const form = await readForm(db, accountId, { form: typed, audience, hasOpenTexts: true })
	const plan = await planOrder(db, accountId, planned(form))
	const { counts, preview, secondNumbers, formats } = plan.reach
	const { header, columns, hidden, tags } = audience.file
	const estimate = await presentPlan(db, accountId, { form, plan })
	return { ...estimate, header, columns, hidden, tags, formats, counts, preview, secondNumbers }
}

/** Returns the rows of a file that get no message, in batches. */
export async function listRejected(
	db: Db,
	accountId: AccountId,
	{ upload, ...typed }: Omit<FileForm, 'variables'>,
): Promise<{ header: string[]; numberAt: number | null; rows: ReturnType<typeof rejectedRows> }> {
	const file = await openAudienceFile(db, accountId, { file: upload, chosen: typed.columns })
	const template = typed.templateId ? await getTemplate(db, accountId, typed.templateId) : null
	const opening = { isMarketing: isMarketing(template?.category ?? ''), opensAt: openingIn(typed, []) }
	const header = file.columns.hasHeader ? file.header : file.header.map((_, at) => `column${at + 1}`)
	const cap = await readCap(db, accountId, opening)
	const prices = template ? await findPrices(db, accountId, template) : { pricePaise: 0, abroadPrices: null }
	const rows = rejectedRows(db, accountId, { file, isMarketing: opening.isMarketing, cap, prices })
	return { header, numberAt: file.columns.number, rows }
}

/** Returns the order of a form. Without a template it leaves out no recipient and costs nothing. */
function planned<R extends Reach>({ template, ...form }: ReadForm<R>): PlannedOrder<R> {
	return { ...form, template: template ?? { category: '', components: [] } }
}

async function presentPlan(
	db: Db,
	accountId: AccountId,
	{ form, plan }: { form: ReadForm; plan: OrderPlan },
): Promise<CampaignEstimate> {
	const { reach, prices, availablePaise, owedPaise } = plan
	const { contacts, optedOut, capped, gaps, files }: MatchedReach = reach
	const sender = await getSenderState(db, accountId)
	const recipients = countOf(prices)
	const { opensAt, dailyStart } = form
	return {
		contacts,
		optedOut,
		capped,
		...(await findRules(db, accountId)),
		recipients,
		gaps,
		price: rupeesFromPaise(form.pricePaise),
		abroadPrices: abroadDigest(form),
		cost: rupeesFromPaise(costOf(prices)),
		...presentSplit(plan),
		walletBalance: rupeesFromPaise(availablePaise),
		owed: rupeesFromPaise(owedPaise),
		files: files ?? null,
		problems: presentProblems([...form.problems, ...plan.problems], sender, await getSenderLimits(db, accountId)),
		...(await timing(db, accountId, { sender, recipients, opensAt })),
		...(await findUnderLimit(db, accountId, { people: recipients, opensAt, dailyStart })),
	}
}

/** Returns the problems, each once, with those of the sender before that of the wallet. */
function presentProblems(
	problems: readonly PlanProblem[],
	sender: SenderState | null,
	limits: SenderLimits | null,
): CampaignProblem[] {
	const shown = new Map(problems.map(({ kind, message }) => [message, { kind, message, isBlocking: true }]))
	const { wallet = [], others = [] } = Object.groupBy(shown.values(), ({ kind }) =>
		kind === 'wallet' ? 'wallet' : 'others',
	)
	return [...others, ...senderProblems(sender, limits), ...wallet]
}

/**
 * Returns the problem that stops the sender. A block by WhatsApp refuses the campaign; with any other problem the campaign
 * waits.
 */
function senderProblems(sender: SenderState | null, limits: SenderLimits | null): CampaignProblem[] {
	const blocked = limits && healthStop(limits)
	if (blocked) return [{ kind: 'sender', message: blocked.user, isBlocking: true }]
	const messages = [sender ? sender.stoppedReason : NO_CREDENTIALS, limits && healthWarning(limits)]
	return messages.flatMap((message) => (message ? [{ kind: 'sender', message, isBlocking: false }] : []))
}

/**
 * Returns pace, duration, start and end of sending; all but the start are null without a sender. A campaign that starts
 * now comes after the unclaimed messages of campaigns being sent.
 */
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
