import { Anchor, Button, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import * as z from 'zod/mini'
import { tagLabel, type Recipient } from '#features/audiences/values.ts'
import { sampleValues } from '#features/audiences/web/sample-message.ts'
import { campaigns, type CampaignRow } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { pricing, templatePriceOf } from '#features/pricing/contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { findTag, tagsWithoutFallback } from '#features/templates/values.ts'
import { wallet } from '#features/wallet/contract.ts'
import { Required } from '#lib/fields.ts'
import { formatRupees } from '#lib/money.ts'
import { mayBeNumber } from '#lib/phone/phone-text.ts'
import { newRequestId } from '#lib/request-id.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { focusOn, useSchemaForm } from '#lib/web/form.ts'
import { lengthError, limited } from '#lib/web/limited.ts'
import { loadNumberReader } from '#lib/web/number-reader.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { DialogContext } from '#lib/web/ui/form/form-context.ts'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { NumberHint } from '#lib/web/ui/form/number-hint.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { PhoneNumber } from '#lib/web/ui/value/phone-number.tsx'
import { useLoaded } from '#lib/web/use-loaded.ts'
import { TEST_DRAFT } from './fields/campaign-fields.ts'

interface TestSendProps {
	dialog: DialogFor<never>
	template: TemplateRow
	variables: Record<string, string>
	/** Provides the values of the merge tags. */
	recipient: Recipient | undefined
}

const MAX_VALUE_LENGTH = 1024

/** The number of the last test, kept until the page is reloaded. */
const lastNumber = { typed: '' }

/** Sends the message to one number, usually one's own, before it goes to everybody. */
export function TestSend({ dialog, ...message }: TestSendProps) {
	return (
		<FormDialog dialog={dialog} title="Send a test message" size={480}>
			<TestForm {...message} />
		</FormDialog>
	)
}

type TestFormProps = Omit<TestSendProps, 'dialog'>

const TestNumber = z.object({
	number: Required('Please enter a phone number', 40).check(
		z.refine((typed) => typed === '' || mayBeNumber(typed), 'Invalid phone number format'),
	),
})

/** Values that are typed only for the test, by merge tag. */
type Typed = Readonly<Record<string, string>>

function useTestSend({ template, variables, recipient }: TestFormProps) {
	const missing = missingTags(variables, recipient)
	const [typed, setTyped] = useState<Typed>({})
	const [isChecked, setChecked] = useState(false)
	const isUnfilled = (tag: string) => !typed[tag]?.trim()
	const [requestId, setRequestId] = useState(newRequestId)
	const [sent, setSent] = useState<{ campaign: CampaignRow; number: string } | null>(null)
	const state = useSchemaForm<{ number: string }>({
		draft: TEST_DRAFT,
		schema: TestNumber,
		initialValues: { number: lastNumber.typed },
		maySend: async () => {
			setSent(null)
			setChecked(true)
			const first = missing.find((tag) => isUnfilled(tag) || lengthError(MAX_VALUE_LENGTH, typed[tag]) !== null)
			if (first !== undefined) focusOn(document.getElementById(inputOf(first)))
			return first === undefined
		},
		submit: async ({ number }) => {
			const shown = price === null ? {} : { price: String(price) }
			const values = sampleValues(variables, { number: '{{number}}', ...recipient, ...trimmed(typed) })
			const { campaign } = await call(campaignPreflight.sendTest, {
				body: { templateId: template._id, variables: values, number, requestId, ...shown },
			})
			lastNumber.typed = number
			const reader = await loadNumberReader().catch(() => null)
			setSent({ campaign, number: reader?.readNumber(number) ?? number })
			setRequestId(newRequestId())
			void invalidate(campaigns.list, campaignPreflight.estimate, wallet.balance)
		},
		failed: (error) => {
			if (error.details?.['price']) void invalidate(pricing.mineByMarket)
			// The first answer was lost, and the form has been changed since, so the next send is another test.
			if (error.details?.['createdId']) setRequestId(newRequestId())
			state.form.setFieldError(
				'number',
				error.fields['number'] ?? messageOf(error, 'The test could not be sent. Please try again.'),
			)
		},
		invalid: () => setSent(null),
	})
	const inputs = missing.map((tag) => ({
		tag,
		value: typed[tag] ?? '',
		error: isChecked && isUnfilled(tag) ? 'Type a value to test with' : null,
		onChange: (value: string) => setTyped({ ...typed, [tag]: value }),
	}))
	const price = useTestPrice(template, state.form.values.number)
	return { state, sent, inputs, price }
}

/** Returns the price in rupees of a test to the typed number; null until known, and for a market without a price. */
function useTestPrice(template: TemplateRow, typed: string): number | null {
	const prices = useQuery(query(pricing.mineByMarket)).data
	const recipient = useLoaded(loadNumberReader)?.readNumber(typed) ?? INDIAN_CODE
	return prices ? templatePriceOf(prices, { template, recipient }).price : null
}

const INDIAN_CODE = '91'

const inputOf = (tag: string) => `test-value-${tag}`

function trimmed(typed: Typed): Typed {
	return Object.fromEntries(Object.entries(typed).map(([tag, value]) => [tag, value.trim()]))
}

/** Returns the merge tags that the recipient has no value for, and that have no fallback. The number is that of the test. */
function missingTags(variables: Record<string, string>, recipient: Recipient | undefined): string[] {
	const known = Object.keys(recipient ?? {})
	return tagsWithoutFallback(variables).filter(
		(tag) => tag !== 'number' && !recipient?.[findTag(tag, known) ?? '']?.trim(),
	)
}

/** Shows the reason why sending has stopped in place of the form: a test would only wait and fail. */
function SendingStopped({ reason }: { reason: string | null }) {
	const { close } = use(DialogContext)
	return (
		<div className="stack">
			<Notice tone="error" title="Sending has stopped" role="alert">
				<p>{reason} Until you start sending again, no test can be sent.</p>
			</Notice>
			<Group justify="flex-end">
				<Button variant="default" onClick={close} data-autofocus>
					Close
				</Button>
			</Group>
		</div>
	)
}

function TestForm(props: TestFormProps) {
	const { state, sent, inputs, price } = useTestSend(props)
	const stopped = useQuery(query(campaigns.standing)).data?.sender
	if (stopped?.kind === 'stopped') return <SendingStopped reason={stopped.reason} />
	const { form } = state
	return (
		<Form state={state}>
			<p>
				We send the message now, to this number only, just as your customers will get it.
				{price !== null && ` It costs ${formatRupees(price)}, like any other message.`}
			</p>
			<TextInput
				label="Your WhatsApp number"
				type="tel"
				autoComplete="tel"
				placeholder="98765 43210"
				required
				data-autofocus
				description={<NumberHint typed={form.values.number} otherwise="Ten digits, or with a country code" />}
				{...form.getInputProps('number')}
			/>
			{inputs.map(({ tag, value, error, onChange }) => (
				<TextInput
					key={tag}
					id={inputOf(tag)}
					label={`${tagLabel(tag)} in this test`}
					description="Used in this test only"
					required
					{...limited(MAX_VALUE_LENGTH, { value, error })}
					onChange={(event) => onChange(event.currentTarget.value)}
				/>
			))}
			{sent && (
				<Notice tone="ok" role="status">
					<p>
						The test is on its way to <PhoneNumber number={sent.number} />.{' '}
						<Anchor component={Link} to={campaignPath(sent.campaign._id)} target="_blank" inherit underline="always">
							View its status
						</Anchor>
					</p>
				</Notice>
			)}
			<FormButtons cancel={sent ? 'Close' : 'Cancel'} busyText="Sending..." miw={112}>
				{sent ? 'Send again' : 'Send test'}
			</FormButtons>
		</Form>
	)
}
