import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod/mini'
import { contacts } from '#features/contacts/contract.ts'
import { MAX_ROWS } from '#features/contacts/rules.ts'
import { Text } from '#lib/fields.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { DraftNotice } from '#lib/web/ui/form/draft-notice.tsx'
import { readNumbers } from './read-numbers.ts'

export const OPT_OUTS_DRAFT = 'opt-outs'

interface AddOptOutsProps {
	opened: boolean
	onClose: () => void
}

/** A list of numbers, for instance from another system, that shall receive no marketing. */
export function AddOptOuts({ opened, onClose }: AddOptOutsProps) {
	return (
		<Modal opened={opened} onClose={onClose} title="Add numbers" size={520} closeOnClickOutside={false}>
			<Form onClose={onClose} />
		</Modal>
	)
}

const Typed = z.object({
	text: Text(MAX_ROWS * 50).check(
		z.refine((text) => readNumbers(text).length > 0, 'Enter at least one number'),
		z.refine((text) => readNumbers(text).length <= MAX_ROWS, `At most ${formatCount(MAX_ROWS)} numbers at once`),
	),
})

function Form({ onClose }: Pick<AddOptOutsProps, 'onClose'>) {
	const [rejected, setRejected] = useState<string[]>([])
	const { form, busy, draft, onSubmit } = useSchemaForm({
		draft: OPT_OUTS_DRAFT,
		schema: Typed,
		initialValues: { text: '' },
		submit: ({ text }) => call(contacts.setOptOuts, { body: { numbers: readNumbers(text), optedOut: true } }),
		saved: async (result) => {
			briefToast.success(result.message)
			await invalidate(contacts.optedOut, contacts.list, contacts.latest, contacts.optOuts)
			setRejected(result.rejected)
			// What was not understood stays, to be put right.
			if (result.rejected.length > 0) form.setFieldValue('text', result.rejected.join('\n'))
			else onClose()
		},
		failed: (error) => briefToast.failure(error, 'Failed to save contact'),
	})
	return (
		<form className="stack" onSubmit={onSubmit} noValidate>
			<LeaveGuard dirty={form.isDirty() && !busy} />
			<DraftNotice draft={draft} />
			{rejected.length > 0 && (
				<Notice tone="warn" role="alert">
					{plural(rejected.length, 'line is not a phone number', 'lines are not phone numbers')}. The others are saved.
				</Notice>
			)}
			<Textarea
				{...form.getInputProps('text')}
				label="Numbers"
				description={`One per line, or separated by commas. ${plural(readNumbers(form.values.text).length, 'number')} so far.`}
				required
				data-autofocus
				minRows={6}
				maxRows={14}
			/>
			<Group justify="flex-end" gap={8}>
				<Button variant="default" onClick={onClose} disabled={busy}>
					Cancel
				</Button>
				<Button type="submit" disabled={busy} aria-busy={busy} miw={168}>
					{busy ? 'Saving...' : 'Opt out of marketing'}
				</Button>
			</Group>
		</form>
	)
}
