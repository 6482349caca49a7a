import { Textarea } from '@mantine/core'
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
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { readNumbers } from './read-numbers.ts'

export const OPT_OUTS_DRAFT = 'opt-outs'

/** Renders the form for a list of numbers to opt out, for instance from another system. */
export function AddOptOuts({ dialog }: { dialog: DialogFor<never> }) {
	return (
		<FormDialog dialog={dialog} title="Add numbers" size={520}>
			<Numbers onClose={dialog.close} />
		</FormDialog>
	)
}

const Typed = z.object({
	text: Text(MAX_ROWS * 50).check(
		z.refine((text) => readNumbers(text).length > 0, 'Enter at least one number'),
		z.refine((text) => readNumbers(text).length <= MAX_ROWS, `At most ${formatCount(MAX_ROWS)} numbers at once`),
	),
})

function Numbers({ onClose }: { onClose: () => void }) {
	const [rejected, setRejected] = useState<string[]>([])
	const state = useSchemaForm({
		draft: OPT_OUTS_DRAFT,
		schema: Typed,
		initialValues: { text: '' },
		submit: ({ text }) => call(contacts.setOptOuts, { body: { numbers: readNumbers(text), optedOut: true } }),
		saved: async (result) => {
			briefToast.success(result.message)
			await invalidate(contacts.optedOut, contacts.list, contacts.latest, contacts.optOuts)
			setRejected(result.rejected)
			// Rejected entries remain in the field, to be corrected.
			if (result.rejected.length > 0) form.setFieldValue('text', result.rejected.join('\n'))
			else onClose()
		},
		failed: (error) => briefToast.failure(error, 'Failed to save contact'),
	})
	const { form } = state
	return (
		<GuardedForm state={state}>
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
			<FormButtons miw={168}>Opt out of marketing</FormButtons>
		</GuardedForm>
	)
}
