import { NumberInput, Radio, Stack, TagsInput, Textarea } from '@mantine/core'
import { AutomaticBody, replies, type AutomaticReply } from '#features/replies/contract.ts'
import { MAX_MONTHLY_LIMIT, MAX_PHRASE_LENGTH, MAX_PHRASES, MAX_TEXT_LENGTH } from '#features/replies/rules.ts'
import type { ResponseOut } from '#lib/endpoint.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm, type SchemaForm } from '#lib/web/form.ts'
import { limited } from '#lib/web/limited.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'

/** The automatic reply to edit, null to add one, and all automatic replies of the account. */
export interface Edited {
	reply: AutomaticReply | null
	known: readonly AutomaticReply[]
}

/** Renders the dialog that adds an automatic reply, or changes one. */
export function AutomaticDialog({ dialog }: { dialog: DialogFor<Edited> }) {
	const { subject, close } = dialog
	return (
		<FormDialog dialog={dialog} title={subject?.reply ? 'Edit automatic reply' : 'Add automatic reply'} size={560}>
			{subject && <ReplyForm key={subject.reply?._id} {...subject} onDone={close} />}
		</FormDialog>
	)
}

const FIRST_LIMIT = 500

type Saved = ResponseOut<typeof replies.addAutomatic>

function ReplyForm({ reply, known, onDone }: Edited & { onDone: () => void }) {
	const state = useSchemaForm<AutomaticBody, Saved>({
		schema: AutomaticBody,
		draft: `automatic-reply:${reply?._id ?? 'new'}`,
		initialValues: {
			kind: reply?.kind ?? 'keyword',
			phrases: reply?.phrases ?? [],
			text: reply?.text ?? '',
			monthlyLimit: reply?.monthlyLimit ?? FIRST_LIMIT,
		},
		submit: (body) =>
			reply ? call(replies.changeAutomatic, { params: { id: reply._id }, body }) : call(replies.addAutomatic, { body }),
		saved: async ({ message }) => {
			briefToast.success(message)
			await invalidate(replies.automatic)
			onDone()
		},
		failed: (error) => briefToast.failure(error, 'Failed to save the automatic reply'),
	})
	const { form } = state
	return (
		<Form state={state}>
			{!reply && <Kind form={form} known={known} />}
			{form.values.kind === 'keyword' && (
				<TagsInput
					label="Words"
					description="Words or phrases to look for in a message. Capital letters and punctuation do not matter."
					placeholder="Type a word and press Enter"
					required
					maxTags={MAX_PHRASES}
					acceptValueOnBlur
					clearButtonProps={{ 'aria-label': 'Remove all words' }}
					{...limited(MAX_PHRASE_LENGTH, form.getInputProps('phrases'))}
				/>
			)}
			<Textarea
				label="Text"
				autosize
				minRows={4}
				maxRows={10}
				dir="auto"
				required
				{...limited(MAX_TEXT_LENGTH, form.getInputProps('text'))}
			/>
			<NumberInput
				label="Monthly limit"
				description="When it has been sent this many times, it pauses until next month."
				min={1}
				max={MAX_MONTHLY_LIMIT}
				w={240}
				clampBehavior="none"
				allowDecimal={false}
				required
				{...form.getInputProps('monthlyLimit')}
			/>
			<FormButtons>Save</FormButtons>
		</Form>
	)
}

const KINDS = [
	{
		value: 'keyword',
		label: 'Keywords',
		description: 'Sent when a message has one of your words, at most once an hour to each customer.',
	},
	{
		value: 'away',
		label: 'Away message',
		description: 'Sent outside your business hours, once to each customer until you open again.',
	},
	{ value: 'greeting', label: 'Greeting', description: 'Sent when a customer writes to you for the first time.' },
] as const

interface KindProps extends Pick<SchemaForm<AutomaticBody>, 'form'> {
	known: readonly AutomaticReply[]
}

function Kind({ form, known }: KindProps) {
	const isTaken = (value: string) => value !== 'keyword' && known.some(({ kind }) => kind === value)
	return (
		<Radio.Group label="Kind" {...form.getInputProps('kind')}>
			<Stack gap={8} mt={8}>
				{KINDS.map(({ description, ...choice }) => (
					<Radio
						key={choice.value}
						{...choice}
						disabled={isTaken(choice.value)}
						description={isTaken(choice.value) ? 'You have one already. Edit it in the list.' : description}
					/>
				))}
			</Stack>
		</Radio.Group>
	)
}
