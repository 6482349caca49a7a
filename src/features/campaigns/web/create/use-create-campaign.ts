import type { UseFormReturnType } from '@mantine/form'
import { useRef, useState } from 'react'
import { campaigns, type CampaignRow } from '#features/campaigns/contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { newRequestId } from '#lib/request-id.ts'
import { ApiError, call, messageOf } from '#lib/web/api.ts'
import { invalidate, queryClient } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { EMPTY_FIELDS, firstError, scheduleDatetime, type CampaignFields, type FieldError } from './campaign-fields.ts'
import { audienceQuery, shortageOf, type Estimate, type Shortage } from './use-audience.ts'

/** From here on a slip of the finger is expensive, so that the form asks once more. */
const MANY_RECIPIENTS = 1000
const HIGH_COST_RUPEES = 1000

/** Checks the form, asks about the large ones, and creates the campaign: once, however often the button is pressed. */
export function useCreateCampaign(form: UseFormReturnType<CampaignFields>, template: TemplateRow | undefined) {
	const [requestId, setRequestId] = useState(newRequestId)
	const [question, setQuestion] = useState<Estimate | null>(null)
	const [shortage, setShortage] = useState<Shortage | null>(null)
	const [created, setCreated] = useState<CampaignRow | null>(null)

	const refuse = ({ path, message }: FieldError) => {
		form.setFieldError(path, message)
		briefToast.error(message)
		focusOn(form.getInputNode(path))
	}

	const refuseFor = (missing: Shortage) => {
		setShortage(missing)
		briefToast.error('Insufficient balance')
		requestAnimationFrame(() => focusOn(document.getElementById('shortage')))
	}

	const { busy, run } = useOneAtATime((error) => {
		const missing = missingOf(error)
		if (missing) refuseFor(missing)
		else briefToast.error(createError(error))
	})

	const create = async () => {
		setQuestion(null)
		const { campaign } = await call(campaigns.create, { body: bodyOf(form.getValues(), requestId) })
		briefToast.success('Campaign created successfully!')
		form.setInitialValues(EMPTY_FIELDS)
		form.reset()
		setRequestId(newRequestId())
		setCreated(campaign)
		void invalidate(campaigns.list, campaigns.dashboard, campaigns.audience, wallet.balance)
	}

	const submit = () => {
		setCreated(null)
		setShortage(null)
		const fields = form.getValues()
		const problem = firstError(fields, template)
		if (problem) return refuse(problem)
		void run(async () => {
			// What is on screen may be a while old: contacts come and go, and money is spent elsewhere.
			const estimate = await queryClient.fetchQuery({ ...audienceQuery(fields, template), staleTime: 0 })
			const missing = shortageOf(estimate)
			if (missing) refuseFor(missing)
			else if (estimate.recipients === 0) briefToast.error('There is nobody to send this campaign to')
			else if (estimate.recipients > MANY_RECIPIENTS || estimate.cost > HIGH_COST_RUPEES) setQuestion(estimate)
			else await create()
		})
	}

	return {
		busy,
		shortage,
		created,
		question,
		submit,
		confirm: () => void run(create),
		dismiss: () => setQuestion(null),
	}
}

/** Runs a step unless one is running already: a second press of the button does nothing. */
function useOneAtATime(failed: (error: unknown) => void) {
	const [busy, setBusy] = useState(false)
	const running = useRef(false)
	const run = async (step: () => Promise<void>) => {
		if (running.current) return
		running.current = true
		setBusy(true)
		try {
			await step()
		} catch (error) {
			failed(error)
		} finally {
			running.current = false
			setBusy(false)
		}
	}
	return { busy, run }
}

function bodyOf(fields: CampaignFields, requestId: string) {
	const { name, description, templateId, variables, audienceType, selectedGroup, schedule } = fields
	const at = scheduleDatetime(fields)
	return {
		name: name.trim(),
		description: description.trim(),
		templateId,
		variables: JSON.stringify(variables),
		audienceType,
		schedule,
		timezone: INDIAN_TIME_ZONE,
		requestId,
		...(audienceType === 'group' && { selectedGroup }),
		...(at && { scheduleDatetime: at }),
	}
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

function focusOn(node: HTMLElement | null): void {
	node?.focus({ preventScroll: true })
	node?.scrollIntoView({ block: 'center', behavior: 'smooth' })
}
