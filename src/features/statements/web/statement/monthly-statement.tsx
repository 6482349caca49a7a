import { Group, NativeSelect } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { statements } from '#features/statements/contract.ts'
import { pdfFailed } from '#features/wallet/web/receipt.ts'
import { indianDay, monthName } from '#lib/dates.ts'
import { call } from '#lib/web/api.ts'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import { monthsSince } from './months.ts'
import styles from './statement.module.css'

interface MonthlyStatementProps {
	userId: string
	/** The account's creation time, whose month is the earliest choice. Undefined while loading. */
	since: string | undefined
}

const failed = pdfFailed('Failed to generate statement', 'Error downloading statement')

/** Downloads a month's statement as PDF; the current month is preselected. */
export function MonthlyStatement({ userId, since }: MonthlyStatementProps) {
	const thisMonth = indianDay(useNow(false)).slice(0, 7)
	const [chosen, setChosen] = useState<string | null>(null)
	const month = chosen ?? thisMonth
	const first = since ? indianDay(Date.parse(since)).slice(0, 7) : thisMonth
	return (
		<Group className={styles.monthly} gap={8} align="stretch">
			<NativeSelect
				aria-label="Month of the statement"
				data={monthsSince(first, thisMonth).map((value) => ({ value, label: monthName(value) }))}
				value={month}
				onChange={(event) => setChosen(event.currentTarget.value)}
			/>
			<DownloadButton
				leftSection={<IconFileDownload size={16} aria-hidden />}
				busyText="Preparing..."
				read={() => call(statements.pdf, { params: { userId }, query: { month } })}
				failed={failed}
			>
				Download Statement
			</DownloadButton>
		</Group>
	)
}
