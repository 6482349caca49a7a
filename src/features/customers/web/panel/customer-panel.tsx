import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconPencil, IconShieldLock, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '#features/auth/web/parts.tsx'
import { contacts, type ContactRow } from '#features/contacts/contract.ts'
import { allCustomFields, useFieldsInWords } from '#features/contacts/web/custom-fields.ts'
import { LateContactDialog } from '#features/contacts/web/parts.tsx'
import { customers } from '#features/customers/contract.ts'
import { personPath } from '#features/privacy/paths.ts'
import { isUserId } from '#lib/phone/phone.ts'
import { withoutOverrides } from '#lib/text/bidi.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { PhoneToCopy } from '#lib/web/ui/value/phone-to-copy.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { Campaigns } from './campaigns.tsx'
import { Notes } from './notes.tsx'

export interface CustomerPanelProps {
	/** Key of the chat: a number, or the user id of a customer who hides it. */
	number: string
	/** Name that the chat shows. */
	name: string
	/** Called after the contact was saved, so that the chat shows the new name. */
	onSaved: () => void
}

/** Renders a customer's contact, last campaigns and notes. */
export function CustomerPanel({ number, name, onSaved }: CustomerPanelProps) {
	const reading = useQuery(query(customers.get, { params: { number } }))
	// Values are formatted by the types of their fields, so that the panel waits for both.
	const types = useQuery(allCustomFields)
	const edit = useDialogFor<ContactRow | null>()
	const mayEdit = useMay(contacts.update.access)
	const data = types.isPending ? undefined : reading.data
	if (!data)
		return reading.error ? (
			<LoadError message="The customer's details could not be loaded." reading={reading} />
		) : (
			<Stack gap={12} role="status" aria-label="Loading the customer's details">
				{['60%', '80%', '45%', '70%'].map((width) => (
					<Skeleton key={width} height={18} width={width} />
				))}
			</Stack>
		)
	const { contact } = data
	const saved = () => {
		void invalidate(customers.get)
		onSaved()
	}
	return (
		<Stack gap={20}>
			<Part title="Customer">
				<Facts
					of={{
						Name: <UserText text={name} />,
						Number: isUserId(number) ? 'Hidden by WhatsApp' : <PhoneToCopy number={number} />,
						Group: contact && (contact.group ? <UserText text={contact.group.name} /> : 'None'),
						'Added on': contact && <DateTime iso={contact.createdAt} as="day" />,
					}}
				/>
				{contact && <Own contact={contact} />}
				{mayEdit && <Actions number={number} contact={contact} onEdit={() => edit.open(contact)} />}
			</Part>
			<Part title="Notes" hint="The customer does not see them.">
				<Notes key={number} number={number} notes={data.notes} />
			</Part>
			<Part title="Last campaigns">
				<Campaigns campaigns={data.campaigns} />
			</Part>
			<LateContactDialog
				dialog={edit}
				prefill={{ firstName: name.startsWith('+') ? '' : name, number: `+${number}` }}
				onSaved={saved}
			/>
		</Stack>
	)
}

interface ActionsProps {
	number: string
	contact: ContactRow | null
	onEdit: () => void
}

/** Renders what managers do with the customer's contact and data. */
function Actions({ number, contact, onEdit }: ActionsProps) {
	return (
		<Group gap={8}>
			{(contact || !isUserId(number)) && (
				<Button
					variant="default"
					size="xs"
					leftSection={contact ? <IconPencil size={16} aria-hidden /> : <IconUserPlus size={16} aria-hidden />}
					onClick={onEdit}
				>
					{contact ? 'Edit' : 'Add to contacts'}
				</Button>
			)}
			<Button
				component={Link}
				to={personPath(isUserId(number) ? number : `+${number}`)}
				variant="subtle"
				size="xs"
				leftSection={<IconShieldLock size={16} aria-hidden />}
			>
				Data and privacy
			</Button>
		</Group>
	)
}

/** Renders tags and values of custom fields. */
function Own({ contact: { tags, fields, optedOut } }: { contact: ContactRow }) {
	const values = useFieldsInWords(fields).map(([name, words]) => [
		withoutOverrides(name),
		<UserText key={name} text={words} />,
	])
	return (
		<>
			{values.length > 0 && <Facts of={Object.fromEntries(values) as Record<string, ReactNode>} />}
			{(tags.length > 0 || optedOut) && (
				<Group gap={6}>
					{optedOut && <ToneBadge tone="warn" label="Opted out" />}
					{tags.map((tag) => (
						<ToneBadge key={tag} tone="info" label={withoutOverrides(tag)} />
					))}
				</Group>
			)}
		</>
	)
}

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
	return (
		<Stack component="section" gap={10} aria-label={title}>
			<div>
				<h4 className="heading">{title}</h4>
				{hint && <p className="fine">{hint}</p>}
			</div>
			{children}
		</Stack>
	)
}
