import { Anchor, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { headerFiles } from '#features/header-files/contract.ts'
import type { FileMatch } from '#features/header-files/match-contract.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { saveFile } from '#lib/web/files/save-file.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { PhoneNumber } from '#lib/web/ui/value/phone-number.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

type State = FileMatch['rows'][number]['state']

const TITLES: Record<State, string> = { matched: 'With a file', missing: 'Without a file', doubtful: 'Several files' }

/** Shows how many people get a file of their own, and the first of them with their files. */
export function FoundFiles({ set, match }: { set: string; match: FileMatch }) {
	const { matched, missing, doubtful, refused, shared, unused } = match
	const [shown, setShown] = useState<State>('matched')
	const counts: Record<State, number> = { matched, missing: missing - doubtful, doubtful }
	const states = (Object.keys(TITLES) as State[]).filter((state) => counts[state] > 0)
	const current = states.includes(shown) ? shown : states[0]
	return (
		<div className="stack">
			<Facts
				ruled
				of={{
					'With a file': formatCount(matched),
					'Without a file': counts.missing > 0 && <b className="faulty">{formatCount(counts.missing)}</b>,
					'Several files': doubtful > 0 && (
						<span className="faulty">{plural(doubtful, 'person', 'people')}, who get none of them</span>
					),
					'Not fetched': refused > 0 && (
						<span className="faulty">{plural(refused, 'person', 'people')}, whose address has no file</span>
					),
					'Same file': shared > 0 && `${plural(shared, 'person', 'people')} get the file of another person`,
					'Unused files': unused > 0 && formatCount(unused),
				}}
			/>
			<Group gap={8} role="group" aria-label="People to show">
				{states.map((state) => (
					<Button
						key={state}
						size="compact-sm"
						variant={state === current ? 'filled' : 'default'}
						aria-pressed={state === current}
						onClick={() => setShown(state)}
					>
						{TITLES[state]} ({formatCount(counts[state])})
					</Button>
				))}
			</Group>
			<ul className="bare stack" aria-label={current && TITLES[current]}>
				{match.rows
					.filter(({ state }) => state === current)
					.map(({ number, name, wanted, file, reason }) => (
						<li key={number}>
							<UserText text={name ?? ''} /> <PhoneNumber number={number} />
							{file ? (
								<>
									{' · '}
									<Anchor component="button" type="button" onClick={() => void open(set, file)}>
										<UserText text={file.name} />
									</Anchor>
								</>
							) : (
								wanted && (
									<>
										{' · no file '}
										<UserText text={wanted} />
										{reason && `: ${reason}`}
									</>
								)
							)}
						</li>
					))}
			</ul>
		</div>
	)
}

/** Downloads the file of a person. */
async function open(set: string, { _id, name }: { _id: string; name: string }): Promise<void> {
	try {
		saveFile(await call(headerFiles.show, { params: { id: set }, query: { file: _id } }), name)
	} catch (error) {
		briefToast.error(messageOf(error, 'The file could not be opened'))
	}
}
