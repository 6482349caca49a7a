import type { UseFormReturnType } from '@mantine/form'
import { useState, type SyntheticEvent } from 'react'
import { campaigns, type CampaignRow } from '#features/campaigns/contract.ts'
import { campaignPreflight, type CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { formatRupees } from '#lib/money.ts'
import { ApiError, call, messageOf } from '#lib/web/api.ts'
import { invalidate, query, queryClient } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { uploadTransport } from '#lib/web/upload.ts'
import { bodyOf } from './campaign-body.ts'
import { EMPTY_FIELDS, firstError, type CampaignFields, type FieldError } from './fields/campaign-fields.ts'
import type { AudienceFile } from './file/use-audience-file.ts'
import { keptRequest } from './kept-request.ts'
import { refusalOf, type Shortage } from './problems.ts'
import { estimateQuery } from './use-estimate.ts'
import { focusOn, useOneAtATime } from './use-one-at-a-time.ts'

/** Above either limit the form asks for confirmation. */
const MANY_RECIPIENTS = 1000
const HIGH_COST_RUPEES = 1000

interface CreateOptions {
	form: UseFormReturnType<CampaignFields>
	template: TemplateRow | undefined
	file: AudienceFile
	/** The merge tags that it has, and what the summary shows of it. */
	audience: { tags: readonly string[]; estimate: CampaignEstimate | undefined }
	draftName: string
	onCreated: () => void
}

/** Checks the form, asks about the large ones, and creates the campaign: once, however often the button is pressed. */
export function useCreateCampaign(options: CreateOptions) {
	const { form, file } = options
	const [request] = useState(() => keptRequest({ draftName: options.draftName }))
	const [question, setQuestion] = useState<CampaignEstimate | null>(null)
	const [shortage, setShortage] = useState<Shortage | null>(null)
	const [created, setCreated] = useState<CampaignRow | null>(null)
	/** How much of the file has been sent, from 0 to 1; null without one. */
	const [part, setPart] = useState<number | null>(null)

	const { busy, run } = useOneAtATime((error) => {
		setPart(null)
		// The key has created a campaign from other fields: the next submission creates another one.
		if (error instanceof ApiError && error.details?.['createdId']) request.answered()
		if (error instanceof ApiError && error.details?.['price'])
			void invalidate(campaignPreflight.estimate, campaignPreflight.audienceFile)
		const missing = missingOf(error)
		setShortage(missing)
		refuseFor(missing ? 'Insufficient balance' : createError(error))
	})

	const create = async (price: number) => {
		setQuestion(null)
		const upload = form.getValues().audienceType === 'file' ? file.file : null
		const campaign = await postCampaign(options, { requestId: request.idFor(upload), price }, setPart)
		request.answered()
		briefToast.success('Campaign created successfully!')
		setPart(null)
		form.setInitialValues(EMPTY_FIELDS)
		form.reset()
		options.onCreated()
		file.choose(null)
		setCreated(campaign)
		void invalidate(campaigns.list, campaigns.dashboard, campaignPreflight.estimate, wallet.balance)
	}

	const submit = (event: SyntheticEvent) => {
		event.preventDefault()
		setCreated(null)
		setShortage(null)
		const error = errorOf(options)
		if (error) return refuse(form, error)
		void run(async () => {
			const fresh = await freshEstimate(options)
			const refusal = refusalOf(fresh) ?? higherPrice(options.audience.estimate?.price, fresh.price)
			if (refusal) refuseFor(refusal)
			else if (fresh.recipients > MANY_RECIPIENTS || fresh.cost > HIGH_COST_RUPEES) setQuestion(fresh)
			else await create(fresh.price)
		})
	}

	return {
		busy,
		part,
		shortage,
		created,
		question,
		submit,
		confirm: () => question && void run(() => create(question.price)),
		dismiss: () => setQuestion(null),
	}
}

/** Says what is wrong with a field, and leads there. */
export function refuse(form: UseFormReturnType<CampaignFields>, { path, message }: FieldError): void {
	form.setFieldError(path, message)
	briefToast.error(message)
	focusOn(form.getInputNode(path) ?? document.getElementById(`field-${path}`))
}

/** Shows the message as a toast, and focuses the list of problems. */
function refuseFor(message: string): void {
	briefToast.error(message)
	requestAnimationFrame(() => focusOn(document.getElementById('problems')))
}

function errorOf({ form, template, file, audience: { tags } }: CreateOptions): FieldError | null {
	const fields = form.getValues()
	const error = firstError(fields, { template, hasFile: file.file !== null, tags })
	if (error || fields.audienceType !== 'file') return error
	return file.error === null ? null : { path: 'file', message: file.error }
}

/** What somebody is told who would pay more than the summary showed them. */
function higherPrice(shown: number | undefined, now: number): string | null {
	if (!shown || shown >= now) return null
	return `A message costs ${formatRupees(now)} by now. Check the cost of the campaign, then send again.`
}

/** What is on screen may be a while old: contacts come and go, and money is spent elsewhere. */
async function freshEstimate({ form, template, file }: CreateOptions): Promise<CampaignEstimate> {
	const fields = form.getValues()
	if (fields.audienceType !== 'file')
		return queryClient.fetchQuery({ ...estimateQuery(fields, template), staleTime: 0 })
	const analysis = await file.read()
	const { walletBalance } = await queryClient.fetchQuery({ ...query(wallet.balance), staleTime: 0 })
	return { ...analysis, walletBalance }
}

async function postCampaign(
	{ form, file }: CreateOptions,
	order: { requestId: string; price: number },
	onProgress: (part: number) => void,
): Promise<CampaignRow> {
	const fields = form.getValues()
	const upload = fields.audienceType === 'file' ? file.file : null
	if (upload) onProgress(0)
	const { campaign } = await call(campaigns.create, {
		body: bodyOf(fields, { ...order, columns: file.columns ?? file.analysis?.columns ?? null }),
		files: { file: upload },
		...(upload && { transport: uploadTransport(onProgress) }),
	})
	return campaign
}

function createError(error: unknown): string {
	const isUnreachable = !(error instanceof ApiError) || error.status === 0
	return isUnreachable ? 'Error creating campaign. Please try again.' : messageOf(error, 'Error creating campaign')
}

function missingOf(error: unknown): Shortage | null {
	if (!(error instanceof ApiError) || error.status !== 402) return null
	const { needed, available } = error.details ?? {}
	return typeof needed === 'number' && typeof available === 'number' ? { needed, available } : null
}
