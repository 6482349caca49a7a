import { listCustomColumns } from '#features/audiences/server/merge-column-queries.ts'
import type { Reach } from '#features/audiences/server/recipients/audience-queries.ts'
import { openAudienceFile } from '#features/audiences/server/recipients/recipient-file.ts'
import {
	toContacts,
	toFile,
	toNobody,
	type RecipientSource,
} from '#features/audiences/server/recipients/recipient-sources.ts'
import { getUsableSegment } from '#features/audiences/server/service.ts'
import { valueProblems, type OrderProblem, contactTags } from '#features/audiences/values.ts'
import type { CreateCampaignBody } from '#features/campaigns/contract.ts'
import { dailyStartProblems, openingProblems, templateProblems } from '#features/campaigns/order-checks.ts'
import { problem } from '#features/campaigns/problems.ts'
import { getGroup } from '#features/contacts/server/groups/groups.ts'
import { findRules } from '#features/delivery/server/sending-rules-queries.ts'
import { readOwnFiles, toOwnFiles } from '#features/header-files/server/match/own-files.ts'
import { findPrices } from '#features/pricing/server/service.ts'
import { FILE_TAG } from '#features/templates/server/message-file.ts'
import type { Template } from '#features/templates/server/queries.ts'
import { getTemplate } from '#features/templates/server/service.ts'
import {
	mergeTags,
	needsHeaderFile,
	OFFER_END_KEY,
	readOfferEnd,
	slotsOf,
	type Variables,
	withKnownTags,
} from '#features/templates/values.ts'
import { AppError } from '#lib/app-error.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { InvalidInput } from '#lib/server/errors.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import { cutTo } from '#lib/text/characters.ts'
import { problemOf, type PlannedOrder, type PlanProblem } from './plan-order.ts'

/** The start of a campaign by the clock of `timezone`, which is Asia/Kolkata in the product's own form. */
type Timing = Pick<CreateCampaignBody, 'schedule' | 'scheduleDatetime' | 'timezone'>

/** The form of a campaign, which may be incomplete. */
type PartialForm = Timing & { variables: Variables } & Partial<
		Pick<CreateCampaignBody, 'templateId' | 'holdOutPercent' | 'recipientOrder' | 'dailyStart' | 'headerFiles'>
	>

/** The audience that a form has chosen. */
interface ReadAudience<R extends Reach = Reach> {
	audienceName: string
	groupId: string | null
	segmentId: string | null
	source: RecipientSource<R>
	/** Merge tags that the audience has values for; null while no audience is chosen. */
	tags: readonly string[] | null
	problems: readonly PlanProblem[]
}

export interface ReadForm<R extends Reach = Reach> extends Omit<PlannedOrder<R>, 'template'>, ReadAudience<R> {
	/** The chosen template; null without a choice, or for a template that cannot be sent. */
	template: Template | null
	/** Problems of template, audience, start and variables, found before any recipient is counted. */
	problems: readonly PlanProblem[]
}

/**
 * Reads a form and collects its problems. With `hasOpenTexts` it does not check the texts of the variables, and retains
 * variables that the template does not have.
 */
export async function readForm<R extends Reach>(
	db: Db,
	accountId: AccountId,
	{ form, audience, hasOpenTexts = false }: { form: PartialForm; audience: ReadAudience<R>; hasOpenTexts?: boolean },
): Promise<ReadForm<R>> {
	const problems: PlanProblem[] = []
	const { templateId, variables: given } = form
	const template = templateId
		? await getUsableTemplate(db, accountId, templateId).catch((error: unknown) => {
				const refusal = asRefusal(error)
				problems.push(problemOf('template', refusal, refusal.status === 404 ? TEMPLATE_GONE : refusal.message))
				return null
			})
		: null
	problems.push(...audience.problems)
	const opensAt = openingIn(form, problems)
	const wrongStart = await findStartProblems(db, accountId, form.dailyStart)
	if (wrongStart.length > 0) problems.push(problemOf('schedule', fieldsInvalid(wrongStart)))
	const tags = audience.tags ?? []
	if (template && audience.tags && !hasOpenTexts)
		problems.push(...valueRefusals([...valueProblems(template.components, given, tags), ...endsEarly(given, opensAt)]))
	const variables = hasOpenTexts ? withKnownTags(given, tags) : template ? valuesOf(template, given, tags) : {}
	const choice = template && audience.tags ? form.headerFiles : undefined
	const files =
		choice &&
		(await readOwnFiles(db, accountId, { choice, components: template?.components ?? [], tags }).catch((error) => {
			problems.push(problemOf('audience', asRefusal(error)))
			return undefined
		}))
	return {
		...audience,
		...(files && { source: toOwnFiles(audience.source, files), mergeTags: [...mergeTags(variables), FILE_TAG] }),
		template,
		variables,
		...(template ? await findPrices(db, accountId, template) : { pricePaise: 0, abroadPrices: null }),
		opensAt,
		controlGroupPercent: form.holdOutPercent,
		recipientOrder: form.recipientOrder,
		dailyStart: form.dailyStart,
		problems,
	}
}

/** Returns the problem of a limited-time offer that ends before the scheduled start. */
function endsEarly(variables: Variables, opensAt: Date | null): OrderProblem[] {
	const ends = readOfferEnd(variables[OFFER_END_KEY] ?? '')
	if (ends === null || opensAt === null || ends > opensAt.getTime()) return []
	return [
		{ field: `variables.${OFFER_END_KEY}`, message: 'The offer ends before the campaign starts. Choose a later end' },
	]
}

/** Returns the problem of a daily start within the account's quiet hours. */
export async function findStartProblems(
	db: Db,
	accountId: AccountId,
	dailyStart: string | undefined,
): Promise<OrderProblem[]> {
	return dailyStart ? dailyStartProblems(dailyStart, (await findRules(db, accountId)).quiet) : []
}

const TEMPLATE_GONE = 'This template no longer exists. Please select another one.'

/** Returns an error that refuses input; throws any other. */
function asRefusal(error: unknown): AppError {
	if (error instanceof AppError) return error
	throw error
}

type ChosenFile = Partial<Pick<CreateCampaignBody, 'columns' | 'formats'>> & { file?: UploadedFile | undefined }
type ChosenContacts = Pick<CreateCampaignBody, 'selectedGroup' | 'segmentId'> & {
	audienceType: 'all' | 'group' | 'segment'
	formats?: CreateCampaignBody['formats']
}

/** Returns the audience of an uploaded file. Throws a 400 for one that cannot be read. */
export async function readFile(db: Db, accountId: AccountId, { file: upload, columns, formats }: ChosenFile) {
	const file = await openAudienceFile(db, accountId, { file: upload, chosen: columns, formats })
	const isUnnumbered = file.columns.number === null
	return {
		audienceName: cutTo(upload?.filename ?? '', 200),
		groupId: null,
		segmentId: null,
		source: toFile(file),
		tags: file.tags,
		problems: isUnnumbered ? [problemOf('audience', problem('number_column_missing'))] : [],
		file,
	}
}

/**
 * Returns the audience among an account's contacts, without recipients while none is chosen. Throws a 404 for a group
 * or segment that is gone.
 */
export async function readContacts(
	db: Db,
	accountId: AccountId,
	{ audienceType, selectedGroup, segmentId, formats }: ChosenContacts,
): Promise<ReadAudience> {
	const none = { groupId: null, segmentId: null, problems: [] }
	const chosen = { all: 'all', group: selectedGroup, segment: segmentId }[audienceType]
	if (!chosen) return { ...none, audienceName: '', source: toNobody(), tags: null }
	const group = audienceType === 'group' ? await getGroup(db, accountId, chosen) : null
	const segment = audienceType === 'segment' ? await getUsableSegment(db, accountId, chosen) : null
	const groupId = group && String(group.id)
	return {
		...none,
		audienceName: (group ?? segment)?.name ?? 'All contacts',
		groupId,
		segmentId: segment && String(segment.id),
		source: toContacts({ groupId, segment, formats }),
		tags: contactTags(await listCustomColumns(db, accountId)),
	}
}

/**
 * Returns the chosen start; null for now and for a time that is not chosen or cannot be used. Adds the problem of an
 * unusable time to `problems`.
 */
export function openingIn(form: Timing, problems: PlanProblem[]): Date | null {
	try {
		return readOpening(form)
	} catch (error) {
		const refusal = asRefusal(error)
		if (form.scheduleDatetime) problems.push(problemOf('schedule', refusal))
		return null
	}
}

/**
 * Returns the time at which the campaign opens, by the clock of its time zone; null for now. Throws a 400 for a time
 * that cannot be read, has passed or lies after 2099.
 */
export function readOpening(form: Timing): Date | null {
	const opensAt = openingOf(form)
	refuseFields(openingProblems({ schedule: form.schedule, opensAt: opensAt && opensAt.getTime() }))
	return opensAt
}

/** Returns null for a campaign that opens at once, and for a time that cannot be read. */
export function openingOf({ schedule, scheduleDatetime = '', timezone }: Timing): Date | null {
	return schedule === 'now' ? null : instantOf(scheduleDatetime, timezone)
}

/** A local date and time. An offset would contradict the time zone. */
const DATE_AND_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/

function instantOf(local: string, timezone: string): Date | null {
	if (!DATE_AND_TIME.test(local)) return null
	try {
		return new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(timezone).epochMilliseconds)
	} catch {
		return null
	}
}

/** Returns a template that can be sent. Throws a 404 or 400 for another one. */
export async function getUsableTemplate(db: Db, accountId: AccountId, templateId: string): Promise<Template> {
	const template = await getTemplate(db, accountId, templateId)
	refuseUnusable(template)
	return template
}

/** Throws a 400 for a template that cannot be sent. */
export function refuseUnusable(template: Template): void {
	const { name, status, goneAt, components } = template
	if (goneAt !== null) throw problem('template_gone_at_meta', { template: name })
	if (status !== 'APPROVED') throw problem('template_not_approved', { template: name })
	refuseFields(templateProblems({ components, needsHeaderFile: needsHeaderFile(template) }))
}

/** Returns a value for each of the template's variables. Throws a 400 that names the fields which Meta would refuse. */
export function readVariables(
	template: Pick<Template, 'components'>,
	given: Variables,
	tags: readonly string[],
): Variables {
	refuseFields(valueProblems(template.components, given, tags))
	return valuesOf(template, given, tags)
}

/** Returns exactly the template's variables, trimmed, with merge tags named as in `tags`. */
function valuesOf({ components }: Pick<Template, 'components'>, given: Variables, tags: readonly string[]): Variables {
	const named = withKnownTags(given, tags)
	return Object.fromEntries(slotsOf(components).map(({ key }) => [key, (named[key] ?? '').trim()]))
}

/** Returns each problem of the values with the error that names all of them. */
function valueRefusals(problems: readonly OrderProblem[]): PlanProblem[] {
	return problems.map(({ message }) => problemOf('variables', fieldsInvalid(problems), message))
}

/** Throws a 400 that names every field with a problem. */
export function refuseFields(problems: readonly OrderProblem[]): void {
	if (problems.length > 0) throw fieldsInvalid(problems)
}

function fieldsInvalid(problems: readonly OrderProblem[]): InvalidInput {
	const issues = problems.map(({ field, message }) => ({ path: field.split('.'), message }))
	return new InvalidInput(issues[0]?.message ?? '', issues)
}
