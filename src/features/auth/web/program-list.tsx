import { Box } from '@mantine/core'
import { formatDateTime } from '#lib/dates.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { ProgramAccess } from '../contract.ts'

const KINDS = { 'api-key': 'API key', webhook: 'Webhook' } as const

/** Renders the API keys and webhooks of an account as a list, each with the time it was made. */
export function ProgramList({ programs }: { programs: readonly ProgramAccess[] }) {
	return (
		<Box component="ul" m="4px 0" pl={20}>
			{programs.map(({ kind, name, madeAt }) => (
				<li key={`${kind} ${name} ${madeAt}`} className="whole">
					{KINDS[kind]} <UserText text={name} />, {formatDateTime(madeAt)}
				</li>
			))}
		</Box>
	)
}

/** Warns of API keys and webhooks that remain valid after a new password. */
export function WorkingPrograms({ programs }: { programs: readonly ProgramAccess[] }) {
	return (
		<Notice tone="warn" title="These API keys and webhooks still work">
			<ProgramList programs={programs} />
			<p>If you do not know one of them, sign in, open Developers and press “Revoke everything”.</p>
		</Notice>
	)
}
