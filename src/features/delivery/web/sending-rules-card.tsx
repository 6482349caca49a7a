import { Group, NumberInput, Radio, Skeleton, Stack, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '#lib/web/api.ts'
import { useSchemaForm, type SchemaForm } from '#lib/web/form.ts'
import { formQuery, invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { sendingRules, SendingRules } from '../contract.ts'

/** Renders an account's sending rules: the limit of marketing per person, the quiet hours, and the route of marketing. */
export function SendingRulesCard() {
	const rules = useQuery(formQuery(sendingRules.rules))
	return (
		<Card
			narrow
			title="Sending rules"
			hint="These rules apply to campaigns. Chat replies, tests, and utility messages sent by your software (API) go out at any time."
		>
			{rules.data && <RulesForm rules={rules.data} />}
			{rules.isPending && (
				<div role="status" aria-label="Loading sending rules">
					<Skeleton height={140} />
				</div>
			)}
			{rules.error && !rules.data && <LoadError message="Failed to fetch the sending rules" reading={rules} />}
		</Card>
	)
}

const FIRST_FREQUENCY = { messages: 1, days: 3 }
const FIRST_QUIET = { from: '21:00', until: '09:00' }

function RulesForm({ rules }: { rules: SendingRules }) {
	const state = useSchemaForm<SendingRules>({
		schema: SendingRules,
		initialValues: rules,
		submit: async (body) => {
			const { message } = await call(sendingRules.saveRules, { body })
			void invalidate(sendingRules.rules)
			toast.success(message)
		},
		failed: (error) => toast.failure(error, 'Failed to save the sending rules'),
	})
	const { form } = state
	const { frequency, quiet } = form.values
	return (
		<Form state={state}>
			<Stack gap={20}>
				<Stack gap={12}>
					<Switch
						label="Limit marketing for each person"
						description="Skip people who already got the number of marketing messages that you choose. You see how many before you send."
						checked={frequency !== null}
						onChange={(event) => form.setFieldValue('frequency', event.currentTarget.checked ? FIRST_FREQUENCY : null)}
					/>
					{frequency && <Frequency form={form} />}
				</Stack>
				<Stack gap={12}>
					<Switch
						label="Quiet hours"
						description="Campaigns wait during these hours and continue afterwards."
						checked={quiet !== null}
						onChange={(event) => form.setFieldValue('quiet', event.currentTarget.checked ? FIRST_QUIET : null)}
					/>
					{quiet && <QuietHours form={form} />}
				</Stack>
				<MarketingRoute form={form} />
				<SubmitButton busyText="Saving..." w={120}>
					Save
				</SubmitButton>
			</Stack>
		</Form>
	)
}

const ROUTES = [
	{
		value: 'automatic',
		label: 'Automatic',
		description: 'Uses WhatsApp’s marketing service if you have joined it in WhatsApp Manager. The price is the same.',
	},
	{
		value: 'messages',
		label: 'Ordinary route only',
		description: 'Sends marketing like all other messages. WhatsApp may refuse some of it.',
	},
]

/** Renders the choice of the route of marketing messages, and the consent to share what recipients do with them. */
function MarketingRoute({ form }: RulesFormProps) {
	const { route } = form.values.marketing
	return (
		<Stack gap={12}>
			<Radio.Group label="Route of marketing messages" {...form.getInputProps('marketing.route')}>
				<Stack gap={8} mt={8}>
					{ROUTES.map((choice) => (
						<Radio key={choice.value} {...choice} />
					))}
				</Stack>
			</Radio.Group>
			{route === 'automatic' && (
				<Switch
					label="Share activity with WhatsApp"
					description="WhatsApp uses reads and clicks of your marketing messages to choose when it delivers the next ones."
					{...form.getInputProps('marketing.sharesActivity', { type: 'checkbox' })}
				/>
			)}
		</Stack>
	)
}

type RulesFormProps = Pick<SchemaForm<SendingRules>, 'form'>

function Frequency({ form }: RulesFormProps) {
	return (
		<Group gap={16} align="start">
			<NumberInput
				label="Messages at most"
				min={1}
				max={50}
				w={160}
				clampBehavior="none"
				allowDecimal={false}
				{...form.getInputProps('frequency.messages')}
			/>
			<NumberInput
				label="Within days"
				min={1}
				max={60}
				w={160}
				clampBehavior="none"
				allowDecimal={false}
				{...form.getInputProps('frequency.days')}
			/>
		</Group>
	)
}

function QuietHours({ form }: RulesFormProps) {
	return (
		<Group gap={16} align="start">
			<TextInput type="time" label="From" required w={160} {...form.getInputProps('quiet.from')} />
			<TextInput
				type="time"
				label="Until"
				description="Indian time"
				inputWrapperOrder={['label', 'input', 'error', 'description']}
				required
				w={160}
				{...form.getInputProps('quiet.until')}
			/>
		</Group>
	)
}
