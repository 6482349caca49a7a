import type { UseFormReturnType } from '@mantine/form'
import { useRef, useState } from 'react'
import type { OrderProblem } from '#features/audiences/values.ts'
import { useFilledVariables } from '#features/audiences/web/parts.tsx'
import { campaigns, type CampaignRow } from '#features/campaigns/contract.ts'
import { campaignPath, JUST_CREATED } from '#features/campaigns/paths.ts'
import { campaignPreflight, type CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import type { Shortage } from '#features/payments/web/missing-money.tsx'
import type { TemplateRow } from '#features/templates/contract.ts'
import { withKnownTags } from '#features/templates/values.ts'
import { wallet } from '#features/wallet/contract.ts'
import { formatRupees } from '#lib/money.ts'
import { percent } from '#lib/numbers.ts'
import { call, messageOf, type ApiError } from '#lib/web/api.ts'
import { keptRequest } from '#lib/web/drafts/kept-request.ts'
import type { FormDraft } from '#lib/web/drafts/use-form-draft.ts'
import { uploadTransport } from '#lib/web/files/upload.ts'
import { firstMessages, useSchemaForm, type SchemaForm } from '#lib/web/form.ts'
import { invalidate, query, queryClient } from '#lib/web/query.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { briefToast, dismissToasts } from '#lib/web/toast.tsx'
import { bodyOf } from './campaign-body.ts'
import { EMPTY_FIELDS, formProblems, type CampaignFields } from './fields/campaign-fields.ts'
import { useAudienceFile, type AudienceFile } from './file/use-audience-file.ts'
import { refusalOf, shortageOf, shownProblems } from './problems.ts'
import { useSteps, type Steps } from './steps/use-steps.ts'
import { useAudience, type Audience } from './use-audience.ts'
import { estimateQuery, withControlGroup } from './use-estimate.ts'
import { useChosenTemplate } from './use-templates.ts'

/** Number of recipients up to which a campaign that costs money is sent without a question. */
const UNASKED_RECIPIENTS = 20

interface CreateOptions {
	initial: CampaignFields
	/** The name of the draft. */
	draftName: string
}

export type Creation = ReturnType<typeof useCreateCampaign>

/**
 * Returns the form of a new campaign. The form asks before it sends to many people, creates the campaign once, however often it
 * is submitted, and opens the campaign's report.
 */
export function useCreateCampaign({ initial, draftName }: CreateOptions) {
	const [request] = useState(() => keptRequest({ draftName }))
	const [question, setQuestion] = useState<CampaignEstimate | null>(null)
	const [shortage, setShortage] = useState<Shortage | null>(null)
	const navigate = useNavigate()
	/** Share of the file that has been sent, from 0 to 1; null without one. */
	const [part, setPart] = useState<number | null>(null)
	/** Prices of the estimate that the person agreed to. */
	const agreed = useRef<Prices | null>(null)

	const state: SchemaForm<CampaignFields> = useSchemaForm({
		draft: draftName,
		isKeptOnLeave: true,
		initialValues: initial,
		schema: (fields: CampaignFields) => firstMessages(problemsIn(fields).slice(0, 1)),
		invalid: (errors) => {
			agreed.current = null
			showFirst(steps, errors)
		},
		maySend: async () => {
			if (agreed.current !== null) return true
			const fresh = await freshEstimate(form.getValues(), template, file)
			const refusal = refusalOf(fresh) ?? changedPrice(audience.estimate, fresh)
			if (refusal) refuseFor(steps, refusal)
			else if (isAsked(fresh, steps)) setQuestion(fresh)
			else agreed.current = fresh
			return agreed.current !== null
		},
		submit: async (fields) => {
			const prices = agreed.current ?? { price: 0, abroadPrices: '' }
			agreed.current = null
			const campaign = await postCampaign(fields, { ...audience, file, request, prices }, setPart)
			setPart(null)
			startOver(form, file)
			return campaign
		},
		saved: async ({ _id }: CampaignRow) => navigate(campaignPath(_id), { state: JUST_CREATED }),
		failed: (error) => {
			setPart(null)
			setShortage(missingOf(error))
			sayRefusal(error, { request, steps })
			showFirst(steps, error.fields)
		},
	})
	const { form } = state
	const filledIn = useFilledIn(form, state.draft.state)
	const { template, file, audience, steps, problems, problemsIn } = filledIn
	const missing = shortage ?? shortageOf(audience.estimate)
	return {
		...state,
		...filledIn,
		question,
		/** The shortage that the server reported, because it may be newer than the estimate, else the estimate's shortage. */
		missing,
		/** True when the campaign can be sent. */
		isReady: problems.length === 0 && !missing && isClear(audience.estimate, form.values),
		/** Text of the send button while the form is busy. */
		busyText: busyTextOf(part, file.isReading),
		send() {
			setShortage(null)
			state.onSubmit()
		},
		confirm() {
			agreed.current = question
			setQuestion(null)
			state.onSubmit()
		},
		dismiss: () => setQuestion(null),
	}
}

/** Returns the template, file and audience that the fields name, the problems of the fields, and the steps that show them. */
function useFilledIn(form: UseFormReturnType<CampaignFields>, draft: FormDraft['state']) {
	const template = useChosenTemplate(form.values.templateId)
	const file = useAudienceFile(form.values)
	const audience = useAudience(form.values, template, file)
	const problemsIn = (fields: CampaignFields) => problemsOf(fields, { template, file, ...audience })
	const problems = problemsIn(form.values)
	const steps = useSteps(form, problems, draft)
	useFilledVariables(form, template, audience)
	return { template, file, audience, problems, problemsIn, steps }
}

/** Returns true when the estimate has recipients and no problem that keeps the campaign from being sent. */
function isClear(estimate: CampaignEstimate | undefined, fields: CampaignFields): boolean {
	if (!estimate || estimate.recipients === 0 || estimate.owed > 0) return false
	return !shownProblems(estimate.problems, fields, true).some(({ isBlocking }) => isBlocking)
}

/** Returns true for a paid campaign that goes to many people, or that is sent from another step than the last. */
function isAsked({ cost, recipients }: CampaignEstimate, { current }: Steps): boolean {
	return cost > 0 && (recipients > UNASKED_RECIPIENTS || current !== 'check')
}

/** Opens the step of the first error, if there is any, and shows the error at its field. */
function showFirst(steps: Steps, errors: Readonly<Record<string, unknown>>): void {
	const [field = '', message] = Object.entries(errors)[0] ?? []
	if (field) steps.show({ field, message: String(message) })
}

function busyTextOf(part: number | null, isReading: boolean): string {
	if (part !== null && part < 1) return `Uploading ${percent(part)}`
	return isReading ? 'Reading the file...' : 'Sending...'
}

/** Shows that the campaign was created, in place of earlier toasts, and empties the form for the next one. */
function startOver(form: UseFormReturnType<CampaignFields>, file: AudienceFile): void {
	dismissToasts()
	briefToast.success('Campaign created successfully!')
	form.setInitialValues(EMPTY_FIELDS)
	form.reset()
	file.choose(null)
	void invalidate(campaigns.list, campaignPreflight.estimate, wallet.balance)
}

type Prices = Pick<CampaignEstimate, 'price' | 'abroadPrices'>

interface OrderFacts {
	file: AudienceFile
	request: ReturnType<typeof keptRequest>
	prices: Prices
	written: Audience['written']
	tags: Audience['tags']
}

async function postCampaign(
	fields: CampaignFields,
	{ file, request, prices: { price, abroadPrices }, written, tags }: OrderFacts,
	onProgress: (part: number) => void,
): Promise<CampaignRow> {
	const upload = fields.audienceType === 'file' ? file.file : null
	if (upload) onProgress(0)
	const columns = file.columns ?? file.analysis?.columns ?? null
	const named = { ...fields, variables: withKnownTags(fields.variables, tags) }
	const { campaign } = await call(campaigns.create, {
		body: bodyOf(named, { requestId: request.idFor(upload), price, abroadPrices, columns, written }),
		files: { file: upload },
		...(upload && { transport: uploadTransport(onProgress) }),
	})
	request.answered()
	return campaign
}

/** Shows the message as a toast, and focuses the list of problems in the last step. */
function refuseFor(steps: Steps, message: string): void {
	briefToast.error(message)
	steps.open('check', 'problems')
}

interface FilledIn {
	template: TemplateRow | undefined
	file: AudienceFile
	/** The merge tags of the audience, and the number of recipients without a value for each. */
	tags: readonly string[]
	gaps: Readonly<Record<string, number>>
}

function problemsOf(fields: CampaignFields, { template, file, tags, gaps }: FilledIn): OrderProblem[] {
	const problems = formProblems(fields, { template, hasFile: file.file !== null, tags, gaps })
	const isUnusable = fields.audienceType === 'file' && file.error !== null
	return isUnusable ? [...problems, { field: 'file', message: file.error ?? '' }] : problems
}

/**
 * Returns an error when the price rose since the summary was shown, or the prices in other countries of the recipients changed;
 * null otherwise.
 */
function changedPrice(shown: Prices | undefined, now: CampaignEstimate): string | null {
	if (!shown?.price) return null
	if (shown.price < now.price) return `A message costs ${formatRupees(now.price)} by now. ${CHECK_COST}`
	const isAbroad = now.markets.length + now.unpriced.length > 0
	if (!isAbroad || shown.abroadPrices === now.abroadPrices) return null
	return `Messages to other countries have other prices by now. ${CHECK_COST}`
}

const CHECK_COST = 'Check the cost of the campaign, then send again.'

/** Returns a fresh estimate, as contacts, balance and prices may have changed since the last one. */
async function freshEstimate(
	fields: CampaignFields,
	template: TemplateRow | undefined,
	file: AudienceFile,
): Promise<CampaignEstimate> {
	if (fields.audienceType !== 'file')
		return withControlGroup(await queryClient.fetchQuery({ ...estimateQuery(fields, template), staleTime: 0 }), fields)
	const analysis = await file.read()
	const { walletBalance, owed } = await queryClient.fetchQuery({ ...query(wallet.balance), staleTime: 0 })
	return withControlGroup({ ...analysis, walletBalance, owed }, fields)
}

function sayRefusal(error: ApiError, { request, steps }: Pick<OrderFacts, 'request'> & { steps: Steps }): void {
	// The key has created a campaign from other fields, so the next submission gets a new one.
	if (error.details?.['createdId']) request.answered()
	if (error.status === 409) void invalidate(campaignPreflight.estimate, campaignPreflight.audienceFile)
	// The wallet may have less than the form shows, or owe money.
	if (error.status === 402) void invalidate(wallet.balance)
	refuseFor(steps, missingOf(error) ? 'Insufficient balance' : createError(error))
}

function createError(error: ApiError): string {
	return error.status === 0 ? 'Error creating campaign. Please try again.' : messageOf(error, 'Error creating campaign')
}

function missingOf({ status, details }: ApiError): Shortage | null {
	const { needed, available } = details ?? {}
	return status === 402 && typeof needed === 'number' && typeof available === 'number' ? { needed, available } : null
}
