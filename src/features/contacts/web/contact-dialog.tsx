import { Select, TextInput } from '@mantine/core'
import * as z from 'zod/mini'
import { canonicalNumber, displayNumber } from '#lib/phone.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import { NumberHint } from '#lib/web/ui/form/number-hint.tsx'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { contacts, type ContactRow } from '../contract.ts'
import { ContactBody } from '../form-fields.ts'
import { numberError, repairNumber } from '../rules.ts'
import { MissingGroups } from './missing-groups.tsx'
import { OptOutHistory } from './opt-out-history.tsx'

const NO_GROUP = { value: '', label: 'No Group' }

/** The endpoint's shape, and what the server says of a number in the first place. */
const TypedContact = z.extend(ContactBody, {
	number: ContactBody.shape.number.check(
		z.refine((typed) => typed === '' || numberError(typed) === null, 'Invalid phone number format'),
	),
})
const BLANK = { firstName: '', lastName: '', number: '', group: null as string | null }

function valuesOf(contact: ContactRow): typeof BLANK {
	const { firstName, lastName, number, group } = contact
	return { firstName, lastName: lastName ?? '', number: displayNumber(number), group: group?._id ?? null }
}

interface ContactDialogProps {
	opened: boolean
	/** The one that is edited; a new one when left out. */
	contact?: ContactRow | null
	groups: { value: string; label: string }[]
	onClose: () => void
	/** Gets the saved contact's id. */
	onSaved?: (id: string) => void
}

export function ContactDialog({ opened, contact = null, groups, onClose, onSaved }: ContactDialogProps) {
	const done = (id: string) => {
		onClose()
		onSaved?.(id)
	}
	return (
		<FormDialog opened={opened} title={contact ? 'Edit Contact' : 'Add New Contact'} size={520} onClose={onClose}>
			<ContactForm key={contact?._id ?? 'new'} contact={contact} groups={groups} onDone={done} />
		</FormDialog>
	)
}

interface ContactFormProps {
	contact: ContactRow | null
	groups: { value: string; label: string }[]
	onDone: (id: string) => void
}

function ContactForm({ contact, groups, onDone }: ContactFormProps) {
	const state = useSchemaForm({
		draft: contact ? draftName('contact', contact) : 'contact-new',
		schema: TypedContact,
		initialValues: contact ? valuesOf(contact) : BLANK,
		submit: (body) =>
			contact ? call(contacts.update, { params: { id: contact._id }, body }) : call(contacts.create, { body }),
		saved: async ({ message, contact: saved }) => {
			briefToast.success(message)
			await invalidate(contacts.list, contacts.latest, contacts.groups, contacts.optOuts)
			onDone(saved._id)
		},
		failed: (error) => briefToast.failure(error, 'Failed to save contact'),
	})
	const { form } = state
	const understood = canonicalNumber(repairNumber(form.values.number))
	return (
		<GuardedForm state={state}>
			<div className="pair">
				<TextInput label="First name" autoComplete="off" required data-autofocus {...form.getInputProps('firstName')} />
				<TextInput label="Last name" autoComplete="off" {...form.getInputProps('lastName')} />
			</div>
			<TextInput
				label="Number"
				type="tel"
				autoComplete="off"
				placeholder="98765 43210 or +971 50 123 4567"
				required
				description={understood ? <NumberHint number={understood} /> : 'Ten digits, or with a country code'}
				{...form.getInputProps('number')}
			/>
			<Select
				label="Group"
				data={[NO_GROUP, ...groups]}
				allowDeselect={false}
				searchable
				limit={50}
				nothingFoundMessage="No matching group"
				value={form.values.group ?? NO_GROUP.value}
				onChange={(chosen) => form.setFieldValue('group', chosen || null)}
			/>
			<MissingGroups />
			{contact && <OptOutHistory contactId={contact._id} />}
			<FormButtons>Save</FormButtons>
		</GuardedForm>
	)
}
