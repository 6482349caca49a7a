import { Button } from '@mantine/core'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import type { ApiKey } from '../contract.ts'
import { SCOPE_TEXTS } from './scope-texts.ts'

/** Returns a key's spending of today and its limit as text. */
function limitText({ limit, spent }: NonNullable<ApiKey['dayLimit']>): string {
	const [most, used] = [limit, spent].map(({ paise }) => formatRupees(rupeesFromPaise(paise)))
	return `${used} of ${most}`
}

export function keyColumns(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
	return [
		{
			header: 'Name',
			narrow: 'title',
			cell: ({ name, isTest }) => <TwoLines text={isTest ? `${name} (test)` : name} />,
		},
		{
			header: 'Permissions',
			cell: ({ scopes }) => <TwoLines text={scopes.map((scope) => SCOPE_TEXTS[scope]).join(', ')} />,
		},
		{ header: 'Spent today', cell: ({ dayLimit }) => <TwoLines text={dayLimit ? limitText(dayLimit) : 'No limit'} /> },
		{ header: 'From', cell: ({ networks }) => <TwoLines text={networks.join(', ') || 'Anywhere'} /> },
		{ header: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <DateTime iso={lastUsedAt} /> : 'Never') },
		{ header: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <DateTime iso={expiresAt} as="day" /> : 'Never') },
		{ header: 'Created', cell: ({ createdAt }) => <DateTime iso={createdAt} /> },
		{
			header: 'Action',
			narrow: 'actions',
			cell: (key) => (
				<Button variant="default" px={8} aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
					Revoke
				</Button>
			),
		},
	]
}
