import { Box, Group } from '@mantine/core'
import { formatDay } from '#lib/dates.ts'
import { withoutOverrides } from '#lib/text/bidi.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { PhoneToCopy } from '#lib/web/ui/value/phone-to-copy.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { ContactRow, OptOutReason } from '../contract.ts'
import { useFieldsInWords } from './custom-fields.ts'
import styles from './contact-columns.module.css'

const number: Column<ContactRow> = {
	header: 'Number',
	sort: { key: 'number', kind: 'number' },
	minWidth: 190,
	cell: ({ number: digits }) => <PhoneToCopy number={digits} />,
	width: '18%',
	narrow: 'under',
}
const group: Column<ContactRow> = {
	header: 'Group',
	cell: ({ group: its }) => (its ? <TwoLines text={its.name} /> : '-'),
	width: '18%',
	minWidth: 124,
}
const when = (header: string): Column<ContactRow> => ({
	header,
	cell: ({ createdAt }) => <DateTime iso={createdAt} />,
	sort: { key: 'added', kind: 'date' },
	align: 'right',
	width: '18%',
})

/** Columns of Manage Contacts, without the column of actions. */
export const contactColumns: Column<ContactRow>[] = [
	{
		header: 'Name',
		cell: (contact) => <Name text={nameOf(contact)} contact={contact} />,
		minWidth: 216,
		sort: { key: 'name', kind: 'text' },
		narrow: 'title',
	},
	number,
	{
		header: '',
		narrow: 'summary',
		cell: ({ group: its, createdAt }) => (
			<>
				{its && (
					<>
						<UserText text={its.name} /> ·{' '}
					</>
				)}
				<DateTime iso={createdAt} as="day" />
			</>
		),
	},
	group,
	when('Added On'),
]

/** Columns of the latest contacts. */
export const latestColumns: Column<ContactRow>[] = [
	{
		header: 'First Name',
		cell: (contact) => <Name text={contact.firstName} contact={contact} />,
		narrow: 'title',
	},
	{ header: 'Last Name', cell: ({ lastName }) => (lastName ? <TwoLines text={lastName} /> : '-') },
	number,
	group,
	when('Created At'),
]

export function nameOf({ firstName, lastName }: Pick<ContactRow, 'firstName' | 'lastName'>): string {
	return lastName ? `${firstName} ${lastName}` : firstName
}

export const OPT_OUT_REASONS: Record<OptOutReason, string> = {
	reply: 'replied STOP',
	preference: 'opted out in WhatsApp',
	network: 'reported by WhatsApp',
	manual: 'set here by hand',
	phone_app: 'from the phone app, has not agreed',
}

/** Tags shown in a row; more would make the row too tall. */
const MAX_SHOWN_TAGS = 4

function FieldsInWords({ values }: { values: ContactRow['fields'] }) {
	const words = useFieldsInWords(values).map((field) => field.join(': '))
	return <UserText className={`two-lines ${styles.values}`} text={words.join(' · ')} />
}

function Name({ text, contact }: { text: string; contact: ContactRow }) {
	const { optedOut, optedOutAt, optedOutBecause, consent, tags, fields } = contact
	const reason = optedOutBecause && OPT_OUT_REASONS[optedOutBecause]
	return (
		<Group component="span" display="inline-flex" gap="2px 8px" fw={600}>
			<TwoLines text={text} />
			{optedOut && <ToneBadge tone="warn" label="Opted out" />}
			{tags.slice(0, MAX_SHOWN_TAGS).map((tag) => (
				<ToneBadge key={tag} tone="info" label={withoutOverrides(tag)} />
			))}
			{tags.length > MAX_SHOWN_TAGS && <ToneBadge tone="neutral" label={`+${tags.length - MAX_SHOWN_TAGS}`} />}
			{Object.keys(fields).length > 0 && (
				<Box component="small" className="fine" flex="0 1 100%" fw={400}>
					<FieldsInWords values={fields} />
				</Box>
			)}
			{optedOutAt && (
				<Box component="small" className="fine" flex="0 1 100%" fw={400}>
					<DateTime iso={optedOutAt} as="day" />
					{reason && `, ${reason}`}
				</Box>
			)}
			{consent && !optedOut && (
				<Box component="small" className="fine" flex="0 1 100%" fw={400}>
					Agreed on {formatDay(consent.agreedOn)}: {consent.source}
				</Box>
			)}
		</Group>
	)
}
