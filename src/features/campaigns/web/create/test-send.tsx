import { Anchor, Button, Group, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { CampaignRow } from '#features/campaigns/contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { formatRupees } from '#lib/money.ts'
import { canonicalNumber } from '#lib/phone.ts'
import { newRequestId } from '#lib/request-id.ts'
import { ApiError, call, messageOf } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { NumberHint } from '#lib/web/ui/form/number-hint.tsx'
import { PhoneNumber } from '#lib/web/ui/value/phone-number.tsx'
import { sampleValues, type Recipient } from '../sample-message.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

interface TestSendProps {
	opened: boolean
	onClose: () => void
	template: TemplateRow | undefined
	variables: Record<string, string>
	/** Provides the values of the merge tags. */
	recipient: Recipient | undefined
	/** In rupees; undefined until known. */
	price: number | undefined
}

/** Kept for as long as the page is: who tests twice does not type twice. */
const lastNumber = { typed: '' }

/** Sends the message to one number, usually one's own, before it goes to everybody. */
export function TestSend({ opened, onClose, ...message }: TestSendProps) {
	return (
		<Modal opened={opened} onClose={onClose} title="Send a test message" size={480}>
			<TestForm onClose={onClose} {...message} />
		</Modal>
	)
}

type TestFormProps = Omit<TestSendProps, 'opened'>

function useTestSend({ template, variables, recipient }: TestFormProps) {
	const [error, setError] = useState<string | null>(null)
	const [requestId, setRequestId] = useState(newRequestId)
	const [sent, setSent] = useState<{ campaign: CampaignRow; number: string } | null>(null)
	const { busy, run } = useOneAtATime((reason) => {
		if (!(reason instanceof ApiError)) throw reason
		setError(reason.fields['number'] ?? messageOf(reason, 'The test could not be sent. Please try again.'))
	})
	const submit = async (typed: string) => {
		setSent(null)
		setError(null)
		const number = canonicalNumber(typed)
		if (typed.trim() === '') return setError('Please enter a phone number')
		if (number === null) return setError('Invalid phone number format')
		if (!template) return
		await run(async () => {
			const { campaign } = await call(campaignPreflight.sendTest, {
				body: { templateId: template._id, variables: sampleValues(variables, recipient), number: typed, requestId },
			})
			lastNumber.typed = typed
			setSent({ campaign, number })
			setRequestId(newRequestId())
			void invalidate(campaigns.list, campaigns.dashboard, campaignPreflight.estimate, wallet.balance)
		})
	}
	return { busy, sent, error, submit, clearError: () => setError(null) }
}

function TestForm(props: TestFormProps) {
	const { onClose, price } = props
	const [typed, setTyped] = useState(lastNumber.typed)
	const understood = canonicalNumber(typed)
	const { busy, sent, error, submit, clearError } = useTestSend(props)
	return (
		<form
			className="stack"
			noValidate
			onSubmit={(event) => {
				event.preventDefault()
				void submit(typed)
			}}
		>
			<p>
				We send the message now, to this number only, just as your customers will get it.
				{price !== undefined && ` It costs ${formatRupees(price)}, like any other message.`}
			</p>
			<TextInput
				label="Your WhatsApp number"
				type="tel"
				autoComplete="tel"
				placeholder="98765 43210"
				required
				data-autofocus
				description={understood ? <NumberHint number={understood} /> : 'Ten digits, or with a country code'}
				value={typed}
				onChange={(event) => {
					setTyped(event.currentTarget.value)
					clearError()
				}}
				error={error}
			/>
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
			<Group justify="flex-end" gap={8}>
				<Button variant="default" onClick={onClose} disabled={busy}>
					{sent ? 'Close' : 'Cancel'}
				</Button>
				<Button type="submit" disabled={busy} aria-busy={busy} miw={112}>
					{busy ? 'Sending...' : sent ? 'Send again' : 'Send test'}
				</Button>
			</Group>
		</form>
	)
}
